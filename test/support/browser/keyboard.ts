// A page as people use it who have no mouse.
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** More than any page of ours has places to stop at. */
const MAX_STOPS = 80;

/** Presses Tab until this has the focus, and expects to see that it has; fails where it can't be reached. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stop = 0; stop < MAX_STOPS; stop++) {
    await page.keyboard.press('Tab');
    if (!(await hasFocus(target))) continue;
    expect(await target.evaluate((element) => element.matches(':focus-visible'))).toBe(true);
    return;
  }
  expect.fail(`the keyboard doesn't reach ${target}`);
}

export function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement);
}

// A page as people use it who have no mouse.
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { waitFor } from '../waitFor.ts';

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

/**
 * Gives an element or something in it the focus as soon as it can have it. A disabled button doesn't take the focus and
 * reports nothing, and the next key would go to whatever has it.
 */
export async function focusOn(target: Locator): Promise<void> {
  await waitFor(`the focus on ${target}`, async () => {
    await target.focus();
    return target.evaluate((element) => element.contains(document.activeElement));
  });
}

/** Gives an element the focus and presses a key on it, like somebody without a mouse. */
export async function pressOn(target: Locator, key: string): Promise<void> {
  await focusOn(target);
  await target.page().keyboard.press(key);
}

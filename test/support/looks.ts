// What nobody sees at a glance of a page: faults that keep people out, and parts that are wider than the window.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Fails when axe finds a fault in the page, or in the part that a selector names, and when the page is wider than its
 * window. For pages without frames. Where there is a dialog it stands alone: what lies behind it was looked at before.
 */
export async function expectAccessible(page: Page, what: string, part?: string): Promise<void> {
  // One run in the page itself: gathering the results of frames opens another page each time.
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await (part === undefined ? builder : builder.include(part)).analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
  expect(found, what).toEqual([]);
  await expectFits(page, what);
}

/** Nothing scrolls sideways. */
export async function expectFits(page: Page, what: string): Promise<void> {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(beyond, `${what} is wider than the window`).toBeLessThanOrEqual(0);
}

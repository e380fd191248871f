// What nobody sees at a glance of a page: faults that keep people out, and parts that are wider than the window.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/**
 * Fails when axe finds a fault in the page, or in the part that a selector names, and when the page is wider than its
 * window. For pages without frames. Where there is a dialog it stands alone: what lies behind it was looked at before.
 */
export async function expectAccessible(page: Page, what: string, part?: string): Promise<void> {
  expect(await axeFaults(page, { part }), what).toEqual([]);
  await expectFits(page, what);
}

export interface AxeLook {
  /** A selector. */
  readonly part?: string | undefined;
  /** Rules that are not asked for. */
  readonly off?: readonly string[];
}

/** What axe finds in a page without frames once its tables are laid out, a line for each rule. */
export async function axeFaults(page: Page, { part, off = [] }: AxeLook = {}): Promise<string[]> {
  await tablesAreLaidOut(page);
  // One run in the page itself: gathering the results of frames opens another page each time.
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const requests = off.length === 0 ? builder : builder.disableRules([...off]);
  const { violations } = await (part === undefined ? requests : requests.include(part)).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
}

/** A table shows its rows without cells until it knows its width, some 50 ms after it came. */
async function tablesAreLaidOut(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[role=grid] [role=row][data-id]')].every((row) =>
      row.querySelector('[role=gridcell]'),
    ),
  );
}

/** Nothing scrolls sideways. */
export async function expectFits(page: Page, what: string): Promise<void> {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(beyond, `${what} is wider than the window`).toBeLessThanOrEqual(0);
}

const STILL_FRAMES = 30;

/** How much of what the selector finds is in view, once it has stood still: 0 to 1. Scrolling may be animated. */
export function shareInView(page: Page, selector: string): Promise<number> {
  return page.locator(selector).evaluate(
    (element, stillFrames) =>
      new Promise<number>((resolve) => {
        const observer = new IntersectionObserver(([entry]) => {
          observer.disconnect();
          resolve(entry?.intersectionRatio ?? 0);
        });
        let left = Number.NaN;
        let still = 0;
        const look = (): void => {
          const now = element.getBoundingClientRect().left;
          still = now === left ? still + 1 : 0;
          left = now;
          if (still < stillFrames) requestAnimationFrame(look);
          else observer.observe(element);
        };
        look();
      }),
    STILL_FRAMES,
  );
}

const NARROW_PX = 360;
const WIDE_PX = 1280;

/**
 * Looks at a page in its window as it is, then in one of the other width, a phone's or a computer's; the window is as before
 * afterwards. Tables are laid out anew for each width, so one change of it should serve all that is looked at.
 */
export async function atBothWidths(page: Page, look: (isOther: boolean) => Promise<void>): Promise<void> {
  await look(false);
  const before = page.viewportSize() ?? { width: WIDE_PX, height: 720 };
  await resize(page, { ...before, width: before.width === NARROW_PX ? WIDE_PX : NARROW_PX });
  await look(true);
  await resize(page, before);
}

async function resize(page: Page, size: { readonly width: number; readonly height: number }): Promise<void> {
  await page.setViewportSize(size);
  // Two frames: observers of sizes lay out once more.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

// What the shell does with a page that a user may open: the one frame with it, as large as the window leaves room for.
import type { FrameLocator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { waitFor } from '../waitFor.ts';

/** The page of this path is in the only frame, and the gateway has a document of its own for it. */
export async function expectFramed(page: Page, path: string): Promise<void> {
  expect(await page.locator('iframe').count()).toBe(1);
  const framed = await page
    .locator('iframe')
    .evaluate((frame: HTMLIFrameElement) => frame.contentWindow?.location.pathname);
  expect(framed).toBe(path);
  await expectOwnDocument(page, path);
}

/** The user of the page gets the document of this path: neither the shell's nor a notice that there is none. */
async function expectOwnDocument(page: Page, path: string): Promise<void> {
  const answer = await page.request.get(path);
  expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const [own, shell] = [entriesOf(await answer.text()), entriesOf(await (await page.request.get('/')).text())];
  expect(own).toHaveLength(1);
  expect(own).not.toEqual(shell);
  expect(own[0]).toContain(path.replace(/^.*\/|\.html$/g, ''));
}

/** The scripts with which a document begins: the shell's is another than a page's, and a notice has none. */
function entriesOf(html: string): readonly (string | undefined)[] {
  return [...html.matchAll(/<script type="module"[^>]* src="([^"]+)"/g)].map(([, src]) => src);
}

/** From here on the menu stands beside the frame. */
const MENU_FROM_PX = 768;
const SIZES = [
  [1440, 900],
  [800, 600],
  [360, 640],
  [1024, 500],
] as const;

/** The frame fills the window beside the menu at every size, and follows it; nothing beside it scrolls. */
export async function expectFrameFills(page: Page): Promise<void> {
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    const menu = width < MENU_FROM_PX ? null : await page.getByRole('navigation').boundingBox();
    const menuRight = menu?.width ?? 0;
    await waitFor(
      `the frame at ${width}x${height}`,
      () => page.locator('iframe').boundingBox(),
      (box) =>
        box !== null &&
        Math.abs(box.x - menuRight) <= 1 &&
        Math.abs(box.x + box.width - width) <= 1 &&
        Math.abs(box.y + box.height - height) <= 1,
    );
    const scrolls = await page.evaluate(
      () => document.documentElement.scrollHeight > document.documentElement.clientHeight,
    );
    expect(scrolls).toBe(false);
  }
}

/** Checks all four sides of `main`; what wraps it has no padding in either case. */
export async function expectMainPadding(page: Page | FrameLocator, hasPadding: boolean): Promise<void> {
  const paddings = await page.getByRole('main').evaluate((main) => {
    const sides = (element: Element | null) => {
      const { paddingTop, paddingRight, paddingBottom, paddingLeft } = getComputedStyle(element ?? main);
      return [paddingTop, paddingRight, paddingBottom, paddingLeft].map(Number.parseFloat);
    };
    return { main: sides(main), around: sides(main.parentElement) };
  });
  expect(paddings.main.map((side) => side > 0)).toEqual(Array.from({ length: 4 }, () => hasPadding));
  expect(paddings.around).toEqual([0, 0, 0, 0]);
}

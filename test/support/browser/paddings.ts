// The room around the content of a page, which `nontop` takes away.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Of all four sides of `main`; what wraps it has none in either case. */
export async function expectMainPadding(page: Page, hasPadding: boolean): Promise<void> {
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

import type { Page } from 'playwright-core';

/**
 * Types into the search of the page's only table, and comes back when its rows are those that match. Rows move until then:
 * a click on one of them could meet another.
 */
export async function searchTable(page: Page, text: string): Promise<void> {
  await page.locator('input[type=search]').fill(text);
  await page.locator('[aria-busy=false]:has([role=grid])').waitFor();
}

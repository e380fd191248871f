import type { Page } from 'playwright-core';
import { pressOn } from '../../../support/browser/keyboard.ts';
import { type Look, lookOnceAt } from '../../../support/browser/looks.ts';
import type { EveryPageScene } from './everyPageScene.ts';

/** What is looked at of one page. */
export interface PageRow {
  /** The statement that names the page, where one does. */
  readonly id?: string;
  /** In the menu. */
  readonly name: string;
  readonly path: string;
  /** Calls that take the page's permission. */
  readonly calls: readonly string[];
  /** Has happen what the page shows. */
  readonly fill?: (scene: EveryPageScene) => Promise<unknown>;
  /** Before the page goes anywhere. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** With which the page is opened first. */
  readonly query?: (scene: EveryPageScene) => string;
  /** A selector of what is there when the page is. */
  readonly ready: string;
  /** Its map reaches the edges of the window in any case. */
  readonly hasPadding?: false;
  /** Goes through all states of the page that is open, and leaves it anywhere. */
  readonly visit: (page: Page, scene: EveryPageScene) => Promise<void>;
}

export const ROW = '[role=row][data-id]';
const DIALOG = ':is([role=dialog], [role=alertdialog])';

/** Looks at the dialog that has opened, and closes it. */
export async function lookAtDialog(page: Page, what: string, look: Look = {}): Promise<void> {
  await page.locator(DIALOG).waitFor();
  await lookOnceAt(page, what, { part: DIALOG, ...look });
  await closeDialog(page);
}

async function closeDialog(page: Page): Promise<void> {
  await pressOn(page.locator(DIALOG), 'Escape');
  await page.locator(DIALOG).waitFor({ state: 'detached' });
}

/** Goes to another state of the page that is open, as Back does: the page follows its address, and is not loaded anew. */
export async function goTo(page: Page, address: string, ready: string = ROW): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, address);
  await page.locator(ready).first().waitFor();
}

// What holds for every page of a fleet that the shell frames: who reaches it, and how it stands in the shell.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectFramed, expectFrameFills } from '../../../support/browser/framedPage.ts';
import { expectMainPadding } from '../../../support/browser/paddings.ts';
import type { TrackMember, TrackScene } from './trackScene.ts';

export interface FramedPage {
  /** In the menu. */
  readonly name: string;
  readonly path: string;
  /** Somebody who may see it. */
  readonly member: TrackMember;
  /** Calls that take the page's permission. */
  readonly calls: readonly string[];
}

export function testFramedPage(sceneOf: () => TrackScene, { name, path, member, calls }: FramedPage): void {
  const entry = (page: Page) => page.getByRole('navigation').getByRole('link', { name, exact: true });
  const tile = (page: Page) => page.getByRole('main').getByRole('link', { name, exact: true });

  test.runIf(calls.length > 0)('S-6.3 is not there for who has `system` alone, nor are its calls', async () => {
    const page = await sceneOf().openPage('limited', '/');
    await page.getByRole('main').getByRole('link').first().waitFor();
    expect([await entry(page).count(), await tile(page).count()]).toEqual([0, 0]);
    await page.goto(path);
    await page.getByText("You don't have permission for this page.").waitFor();
    for (const call of calls) expect(await sceneOf().statusOf('limited', call), call).toBe(403);
  });

  test('S-1.1, S-1.2, S-2.1.11, S-2.1.12 is framed for whoever may see it, as large as the window', async () => {
    const page = await sceneOf().openPage(member, '/');
    await tile(page).waitFor();
    await entry(page).click();
    await page.frameLocator('iframe').getByRole('main').waitFor();
    await expectFramed(page, path);
    await expectFrameFills(page);
  });

  test('S-2.3.5, S-2.3.6 has neither top bar nor padding with nontop', async () => {
    for (const [query, isShown] of [
      ['', true],
      ['?nontop=1', false],
    ] as const) {
      const page = await sceneOf().openPage(member, path + query);
      await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
      expect(await page.getByRole('banner').count()).toBe(isShown ? 1 : 0);
      await expectMainPadding(page, isShown);
    }
  });
}

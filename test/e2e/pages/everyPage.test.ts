// Every page on one gateway: who reaches it, how the shell frames it, and how it looks, in every language, wide and narrow, light
// and dark. What is done on a page is tested beside it.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MENU_PAGES, OWN_PAGE } from '../../../shared/protocol/menuPages.ts';
import { expectFramed, expectFrameFills, expectMainPadding } from '../../support/browser/framedPage.ts';
import { waitFor } from '../../support/waitFor.ts';
import {
  EVENT_CONFIG,
  EVENT_DEFINE,
  EVENT_NOTIFY,
  HISTORY_EVENT,
  SENDERS,
  TEMPLATES,
  TODAY_EVENT,
} from './everyPage/eventRows.ts';
import { type EveryPageScene, ROLES, startEveryPageScene } from './everyPage/everyPageScene.ts';
import { DASHBOARD, DATASYNC_ROW, FENCE_ROW, FIRMWARE_ROW, GPS, NETFLOW_ROW, REPORTS } from './everyPage/fleetRows.ts';
import { DEVICE_GROUP, MEMBERSHIP, OWN_ACCOUNT, SYSTEM_BACKUP, VERSION } from './everyPage/installationRows.ts';
import type { PageRow } from './everyPage/pageRow.ts';

/** In the menu's order. */
const ROWS: readonly PageRow[] = [
  DASHBOARD,
  GPS,
  TODAY_EVENT,
  HISTORY_EVENT,
  REPORTS,
  FIRMWARE_ROW,
  DATASYNC_ROW,
  NETFLOW_ROW,
  DEVICE_GROUP,
  MEMBERSHIP,
  EVENT_CONFIG,
  EVENT_NOTIFY,
  EVENT_DEFINE,
  FENCE_ROW,
  VERSION,
  SENDERS,
  TEMPLATES,
  SYSTEM_BACKUP,
  OWN_ACCOUNT,
];
const INSTALLATION = [VERSION, SYSTEM_BACKUP];
const WIDE = { width: 1280, height: 800 };
/** Many states, each drawn and looked at several times. */
const LOOKS_TIMEOUT_MS = 480_000;

/** On a phone all rows of a table's page are drawn, fifty as a rule: a few have what all have. Runs in the page. */
function setUpSmallTables(): void {
  const getItem = Storage.prototype.getItem;
  Storage.prototype.getItem = function (this: Storage, key: string) {
    return getItem.call(this, key) ?? (key.startsWith('table:') ? '{"pageSize":25}' : null);
  };
}

let scene: EveryPageScene;
beforeAll(async () => {
  scene = await startEveryPageScene();
});
afterAll(() => scene?.close());

test('no page of the menu is missing here', () => {
  const framed = [...MENU_PAGES.filter(({ src }) => src !== '/'), OWN_PAGE];
  expect(ROWS.map(({ name, path }) => [name, path])).toEqual(framed.map(({ name, src }) => [name, src]));
});

describe('S-6.2, S-6.3 a page that a member has no permission for', () => {
  const rowsOf = (isAsked: (page: (typeof MENU_PAGES)[number]) => boolean) => {
    const paths = MENU_PAGES.filter(isAsked).map(({ src }) => src);
    return ROWS.filter(({ path }) => paths.includes(path));
  };

  async function expectRefused(page: Page, member: 'limited' | 'clerk', { path, calls }: PageRow): Promise<void> {
    await page.goto(path);
    await page.getByText("You don't have permission for this page.").waitFor();
    await expectCallsRefused(member, calls);
  }

  async function expectCallsRefused(member: 'limited' | 'clerk', calls: readonly string[]): Promise<void> {
    for (const call of calls) expect([call, await scene.statusOf(member, call)]).toEqual([call, 403]);
  }

  test('is refused to whoever has `system` alone, and so are its calls', async () => {
    const page = await scene.openPage('limited', '/favicon.svg');
    for (const row of rowsOf(({ permission }) => permission !== null)) await expectRefused(page, 'limited', row);
  });

  test('is refused to whoever has all but `system`, and so are its calls', async () => {
    const page = await scene.openPage('clerk', '/favicon.svg');
    // The tabs of Account go by permissions of their own: a manager has no `system`.
    const rows = rowsOf(({ group, name }) => group === 'admin' && name !== MEMBERSHIP.name);
    // One page shows whom the pages believe.
    await expectRefused(page, 'clerk', VERSION);
    for (const { calls } of rows) await expectCallsRefused('clerk', calls);
  });

  test('S-1.2, S-2.4.16, S-2.4.19 of the installation is the administrator’s alone, of the built-in roles', async () => {
    for (const role of ROLES) {
      const { request } = await scene.people.contextOf(role);
      for (const call of INSTALLATION.flatMap(({ calls }) => calls)) {
        const status = (await request.get(scene.product.address + call)).status();
        expect([role, call, status]).toEqual([role, call, role === 'administrator' ? 200 : 403]);
      }
    }
  });

  test('S-2.4.16, S-2.4.19 of the installation leads strangers to sign-in, and no call is answered', async () => {
    const page = await scene.openStrangersPage(VERSION.path);
    await page.waitForURL(/\/innerpage\/login\.html/);
    for (const call of INSTALLATION.flatMap(({ calls }) => calls))
      expect((await page.request.get(call)).status(), call).toBe(401);
  });
});

test('S-2.2.1 whoever has no permission has the tiles of the dashboard and of GPS Playback', async () => {
  const page = await scene.openPage('viewer', '/');
  const links = page.getByRole('main').getByRole('link');
  await links.first().waitFor();
  await expect.poll(() => links.allInnerTexts()).toEqual(['Dashboard', 'GPS Playback']);
});

test('S-1.1, S-1.2, S-2.1.11, S-2.1.12, S-2.3.5, S-2.3.6 the shell frames each page for whoever may see it, as large as the window, without bar and padding', async () => {
  const page = await scene.openPage('chief', '/?nontop=1');
  await page.getByRole('main').getByRole('link').first().waitFor();
  for (const [at, { name, path }] of ROWS.entries()) {
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
    await waitFor(
      `the frame of ${name}`,
      () => page.locator('iframe').evaluate((frame: HTMLIFrameElement) => frame.contentWindow?.location.pathname),
      (framed) => framed === path,
    );
    const framedPage = page.frameLocator('iframe');
    await framedPage.getByRole('main').waitFor();
    await expectFramed(page, path);
    // The shell hands `nontop` on.
    await expect.poll(() => framedPage.getByRole('banner').count()).toBe(0);
    await expectMainPadding(framedPage, false);
    // The frame is the same for each of them.
    if (at === 0) await expectFrameFills(page);
    await page.setViewportSize(WIDE);
  }
});

describe.each(ROWS.map((row) => ({ ...row, id: row.id ?? 'S-6.2' })))('$id $name', (row) => {
  test('S-1.4, S-9.11 is accessible, fits, and speaks each language', {
    timeout: LOOKS_TIMEOUT_MS,
  }, async () => {
    await row.fill?.(scene);
    const page = await scene.people.openPage('chief', WIDE);
    await page.addInitScript(setUpSmallTables);
    await row.prepare?.(page);
    await open(page, row.query?.(scene) ?? '');
    await expect.poll(() => page.getByRole('banner').count()).toBe(1);
    await expectMainPadding(page, row.hasPadding ?? true);
    await row.visit(page, scene);
  });

  async function open(page: Page, query: string): Promise<void> {
    await page.goto(row.path + query);
    await page.locator(row.ready).first().waitFor();
  }
});

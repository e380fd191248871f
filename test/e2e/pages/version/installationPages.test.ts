// The two pages of the installation for each role: who has them in the menu, who opens them by their address, and whose calls are answered.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPasswords } from '../../../../server/auth/passwords.ts';
import type { Stores } from '../../../../server/store/stores.ts';
import { ABOUT_PATH } from '../../../../shared/protocol/api/system/about.ts';
import { BACKUP_PARTS_PATH } from '../../../../shared/protocol/api/system/backupParts.ts';
import { BACKUP_PLAN_PATH, BACKUPS_PATH } from '../../../../shared/protocol/api/system/backups.ts';
import { BUNDLE_PATH } from '../../../../shared/protocol/api/system/bundle.ts';
import { HEALTH_PATH } from '../../../../shared/protocol/api/system/health.ts';
import { NOTICES_PATH } from '../../../../shared/protocol/api/system/notices.ts';
import { RESTORE_PATH } from '../../../../shared/protocol/api/system/restore.ts';
import { SERVER_SETTINGS_PATH, SETTINGS_ELSEWHERE_PATH } from '../../../../shared/protocol/api/system/settings.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { expectFramed, expectFrameFills } from '../../../support/browser/framedPage.ts';
import { expectMainPadding } from '../../../support/browser/paddings.ts';
import { type PeopleSite, startPeopleSite } from '../../../support/gateway/peopleSite.ts';
import { PASSWORD } from '../../../support/gateway/site.ts';

const PAGES = [
  {
    id: 'S-2.4.16',
    name: 'Version',
    path: '/innerpage/version.html',
    region: 'Product',
    calls: [ABOUT_PATH, HEALTH_PATH, SERVER_SETTINGS_PATH, SETTINGS_ELSEWHERE_PATH, BUNDLE_PATH, NOTICES_PATH],
  },
  {
    id: 'S-2.4.19',
    name: 'System Backup',
    path: '/innerpage/sysbackup.html',
    region: 'Overview',
    calls: [BACKUPS_PATH, BACKUP_PLAN_PATH, BACKUP_PARTS_PATH, RESTORE_PATH],
  },
] as const;
type PageName = (typeof PAGES)[number]['name'];

interface Member {
  readonly role?: 'operator' | 'manager' | 'administrator';
  /** Of whoever has no role. */
  readonly permissions?: readonly string[];
  readonly reaches: readonly PageName[];
}

const MEMBERS: Readonly<Record<string, Member>> = {
  operator: { role: 'operator', reaches: [] },
  manager: { role: 'manager', reaches: [] },
  administrator: { role: 'administrator', reaches: ['Version', 'System Backup'] },
  viewer: { reaches: [] },
  halfway: { permissions: ['system'], reaches: [] },
  both: { permissions: ['gmsversion', 'sysbackup'], reaches: [] },
  versions: { permissions: ['system', 'gmsversion'], reaches: ['Version'] },
  backups: { permissions: ['system', 'sysbackup'], reaches: ['System Backup'] },
};

let site: PeopleSite;
beforeAll(async () => {
  site = await startPeopleSite(fill);
});
afterAll(() => site?.close());

async function fill(stores: Stores): Promise<void> {
  const passwordHash = await (await createPasswords()).hash(PASSWORD);
  for (const [username, { role, permissions = [] }] of Object.entries(MEMBERS)) {
    const held = role === undefined ? {} : { role: (await stores.roles.findBuiltIn(role)).id };
    await stores.users.insert({ username, passwordHash, permissions, ...held }, wallMs(Date.now()));
  }
}

const entryOf = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true });
const tileOf = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name, exact: true });

test.each(Object.entries(MEMBERS))(
  'S-1.2, S-2.4.16, S-2.4.19, S-6.2, S-6.3 %s finds, opens and asks what is theirs',
  async (username, { reaches }) => {
    const shell = await site.people.openPage(username);
    await shell.goto('/');
    // Menu and tiles are drawn at once: where one tile stands, none is to come.
    await tileOf(shell, 'Dashboard').waitFor();
    for (const { name, path, region, calls } of PAGES) {
      const times = reaches.includes(name) ? 1 : 0;
      expect([name, await entryOf(shell, name).count(), await tileOf(shell, name).count()]).toEqual([
        name,
        times,
        times,
      ]);
      for (const call of calls) {
        const answer = await shell.request.get(call);
        expect([call, answer.status()]).toEqual([call, times === 1 ? 200 : 403]);
      }
      const page = await site.people.openPage(username);
      await page.goto(path);
      if (times === 1) await page.getByRole('region', { name: region }).waitFor();
      else await page.getByText("You don't have permission for this page.").waitFor();
    }
  },
);

describe.each(PAGES)('$id $name', ({ name, path, region, calls }) => {
  test('is not for strangers: its address leads to sign-in, and no call is answered', async () => {
    const context = await site.people.strangersContext();
    const page = await context.newPage();
    await page.goto(path);
    await page.waitForURL(/\/innerpage\/login\.html/);
    for (const call of calls) expect((await page.request.get(call)).status(), call).toBe(401);
  });

  test('S-1.2, S-2.1.11, S-2.1.12 is framed by the shell, as large as the window', async () => {
    const shell = await site.people.openPage('administrator');
    await shell.goto('/');
    await entryOf(shell, name).click();
    await shell.frameLocator('iframe').getByRole('region', { name: region }).waitFor();
    await expectFramed(shell, path);
    await expectFrameFills(shell);
  });

  test('S-2.3.5, S-2.3.6 has neither top bar nor padding with nontop', async () => {
    for (const [query, isShown] of [
      ['', true],
      ['?nontop=0', true],
      ['?nontop=true', true],
      ['?nontop=1', false],
    ] as const) {
      const page = await site.people.openPage('administrator');
      await page.goto(path + query);
      await page.getByRole('region', { name: region }).waitFor();
      expect([query, await page.getByRole('banner').count()]).toEqual([query, isShown ? 1 : 0]);
      await expectMainPadding(page, isShown);
    }
  });
});

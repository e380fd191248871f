// The pages of devices, people and the installation itself.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { ABOUT_PATH, type About } from '../../../../shared/protocol/api/system/about.ts';
import { BACKUP_PARTS_PATH } from '../../../../shared/protocol/api/system/backupParts.ts';
import { BACKUP_PLAN_PATH, BACKUPS_PATH } from '../../../../shared/protocol/api/system/backups.ts';
import { BUNDLE_FILES, BUNDLE_PATH } from '../../../../shared/protocol/api/system/bundle.ts';
import { HEALTH_PATH } from '../../../../shared/protocol/api/system/health.ts';
import { NOTICES_PATH, type Notices } from '../../../../shared/protocol/api/system/notices.ts';
import { RESTORE_PATH } from '../../../../shared/protocol/api/system/restore.ts';
import { SERVER_SETTINGS_PATH, SETTINGS_ELSEWHERE_PATH } from '../../../../shared/protocol/api/system/settings.ts';
import { pressOn } from '../../../support/browser/keyboard.ts';
import { type Look, lookAtFirst, lookOnceAt } from '../../../support/browser/looks.ts';
import { searchTable } from '../../../support/browser/searchTable.ts';
import { expectTranslated, type Locale } from '../../../support/browser/words.ts';
import { goTo, lookAtDialog, type PageRow, ROW } from './pageRow.ts';

export const DEVICE_GROUP: PageRow = {
  name: 'Device Group',
  path: '/innerpage/devicegroup.html',
  calls: ['/api/devicegroup/groups', '/api/devicegroup/devices'],
  ready: ROW,
  visit: async (page) => {
    await page.getByRole('button', { name: 'Terminals awaiting approval: 1' }).waitFor();
    await lookAtFirst(page, 'the page');
    await page.locator(ROW).first().locator('[role=gridcell]').nth(1).click();
    await page.getByRole('tablist').waitFor();
    for (const tab of ['general', 'channels', 'recording', 'connection']) {
      await page.locator(`#device-tab-${tab}`).click();
      if (tab === 'recording')
        await page.getByRole('dialog').locator('select').filter({ visible: true }).first().selectOption('own');
      await lookOnceAt(page, tab, { part: '[role=dialog]' });
    }
  },
};

export const MEMBERSHIP: PageRow = {
  name: 'Account',
  path: '/innerpage/membership.html',
  calls: ['/api/membership/members'],
  ready: ROW,
  visit: async (page) => {
    for (const tab of ['groups', 'roles', 'sessions', 'members']) {
      await page.locator(`#tab-${tab}`).click();
      await page.locator('[role=tabpanel] [role=gridcell], [role=tabpanel] ul').first().waitFor();
      await (tab === 'groups' ? lookAtFirst : lookOnceAt)(page, tab);
    }
    await page.locator(ROW).first().waitFor();
    await page.getByRole('button', { name: 'Add member', exact: true }).click();
    await page.getByRole('dialog').locator('input[name=username]').waitFor();
    await lookAtDialog(page, 'a new member');
    for (const [tab, search] of [
      ['links', 'case'],
      ['audit', 'Bus'],
    ] as const) {
      await page.locator(`#tab-${tab}`).click();
      await page.locator(ROW).first().waitFor();
      // A few rows have all that many have.
      await searchTable(page, search);
      await lookOnceAt(page, tab);
    }
  },
};

export const OWN_ACCOUNT: PageRow = {
  name: 'My account',
  path: '/innerpage/account.html',
  calls: [],
  // The sessions come last.
  ready: 'section:last-of-type li',
  visit: async (page) => {
    await lookAtFirst(page, 'the account');
    await page.locator('input[name=email]').fill('mei');
    await page.locator('input[type=tel]').fill('0912');
    await pressOn(page.locator('input[type=tel]'), 'Enter');
    await page.locator('[aria-invalid=true]').first().waitFor();
    await lookOnceAt(page, 'the account with faults');
  },
};

const VERSION_TABS = [
  { tab: 'about', landmark: 'region', hasTimes: true },
  { tab: 'health', landmark: 'region', hasTimes: true },
  { tab: 'settings', landmark: 'textbox', hasTimes: false },
  { tab: 'support', landmark: 'region', hasTimes: false },
  { tab: 'notices', landmark: 'searchbox', hasTimes: false },
] as const;

export const VERSION: PageRow = {
  id: 'S-2.4.16',
  name: 'Version',
  path: '/innerpage/version.html',
  calls: [ABOUT_PATH, HEALTH_PATH, SERVER_SETTINGS_PATH, SETTINGS_ELSEWHERE_PATH, BUNDLE_PATH, NOTICES_PATH],
  ready: '[role=tabpanel] section',
  visit: async (page) => {
    const names = await namesOfData(page);
    for (const { tab, landmark, hasTimes } of VERSION_TABS) {
      await goTo(page, `/innerpage/version.html?tab=${tab}`, '[role=tabpanel]');
      await page.getByRole('tabpanel').getByRole(landmark).first().waitFor();
      // One notice has all that hundreds have.
      if (tab === 'notices') await page.getByRole('searchbox').fill('react-dom');
      await (tab === 'about' ? lookAtFirst : lookOnceAt)(page, tab, {
        // Numbers of versions look like dates, too.
        read: async () => names.reduce((rest, name) => rest.replaceAll(name, ''), await translatedText(page)),
        check: async (text, locale) => {
          await expectTranslated(page, text, locale, ['Version', 'HealthWords', ...COMMON_NAMESPACES]);
          if (hasTimes) expect(text, tab).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d/);
        },
      });
    }
  },
};

const COMMON_NAMESPACES = ['Common', 'Form', 'Menu', 'TopBar'];

/** All but keys, license texts and the change log, which are the same in every language. */
function translatedText(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { body } = document;
    const hiding = document.createElement('style');
    hiding.textContent = 'body pre, body [lang="en"] { display: none }';
    body.append(hiding);
    const text = body.innerText;
    hiding.remove();
    return text;
  });
}

/** Names of files and products, which look like keys without a text. */
async function namesOfData(page: Page): Promise<readonly string[]> {
  const read = async (path: string) => (await (await page.request.get(path)).json()).data;
  const { packages } = (await read(NOTICES_PATH)) as Notices;
  const { version, platform, database } = (await read(ABOUT_PATH)) as About;
  const shipped = packages.flatMap((each) => [each.name, each.version, each.license]);
  const own = ['Node.js', version, process.version, platform, database.version];
  return [...new Set([...own, ...BUNDLE_FILES, ...shipped])].filter((name) => name !== '');
}

/** Their places among the buttons of a backup. */
const DETAILS = 0;
const RESTORE = 3;

export const SYSTEM_BACKUP: PageRow = {
  id: 'S-2.4.19',
  name: 'System Backup',
  path: '/innerpage/sysbackup.html',
  calls: [BACKUPS_PATH, BACKUP_PLAN_PATH, BACKUP_PARTS_PATH, RESTORE_PATH],
  fill: (scene) => scene.testedBackup(),
  ready: '[role=tabpanel] li',
  visit: async (page) => {
    const look = saidIn(page);
    await lookAtFirst(page, 'the backups', look);
    const actions = page.getByRole('tabpanel').getByRole('listitem').first().getByRole('button');
    await actions.nth(DETAILS).click();
    await lookAtDialog(page, 'what a backup has', look);
    await actions.nth(RESTORE).click();
    await page.getByRole('dialog').getByRole('checkbox').first().waitFor();
    await lookAtDialog(page, 'the preview of a restore', look);
    await goTo(page, '/innerpage/sysbackup.html?tab=plan', '[role=tabpanel] [role=switch]');
    await lookOnceAt(page, 'the plan', look);
  },
};

/** All that is said is in the language, and moments are there as everywhere. */
function saidIn(page: Page): Look {
  return {
    check: async (text: string, locale: Locale) => {
      expect(text).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
      await expectTranslated(page, text, locale, ['SystemBackup', ...COMMON_NAMESPACES]);
    },
  };
}

// The three pages of looking after devices on the real gateway: who reaches them, and how they stand in the shell.
import { afterAll, beforeAll, describe, test } from 'vitest';
import { FIRMWARE_IMAGES_PATH } from '../../../../shared/protocol/api/firmware/images.ts';
import { FIRMWARE_TASKS_PATH } from '../../../../shared/protocol/api/firmware/tasks.ts';
import { NETFLOW_DEVICES_PATH, SIM_PLANS_PATH } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { SYNC_ITEMS_PATH, SYNC_RULES_PATH } from '../../../../shared/protocol/api/sync/sync.ts';
import { expectOwnDocument } from '../../../support/browser/framedPage.ts';
import { expectAccessible, expectFits } from '../../../support/browser/looks.ts';
import { expectWords } from '../../../support/browser/words.ts';
import { type FramedPage, testFramedPage } from '../tracks/framedPageTests.ts';
import { startTrackScene, type TrackScene } from '../tracks/trackScene.ts';

const FIRMWARE = '/innerpage/firmware.html';
const DATASYNC = '/innerpage/datasync.html';
const NETFLOW = '/innerpage/devicenetflow.html';

let scene: TrackScene;
beforeAll(async () => {
  scene = await startTrackScene();
});
afterAll(() => scene?.close());

const PAGES = [
  {
    id: 'S-2.4.7',
    name: 'Device Firmware',
    path: FIRMWARE,
    member: 'fitter',
    calls: [FIRMWARE_IMAGES_PATH, FIRMWARE_TASKS_PATH],
  },
  { id: 'S-2.4.8', name: 'Datasync', path: DATASYNC, member: 'archivist', calls: [SYNC_ITEMS_PATH, SYNC_RULES_PATH] },
  {
    id: 'S-2.4.9',
    name: 'Device Netflow',
    path: NETFLOW,
    member: 'accountant',
    calls: [NETFLOW_DEVICES_PATH, SIM_PLANS_PATH],
  },
] as const satisfies readonly (FramedPage & { readonly id: string })[];

describe.each(PAGES)('$id, S-6.2 $name', (framed) => testFramedPage(() => scene, framed));

test('S-1.1 all three are reached by whoever has all permissions', async () => {
  const page = await scene.openPage('chief', '/');
  for (const { name, path } of PAGES) {
    await page.getByRole('main').getByRole('link', { name, exact: true }).waitFor();
    await expectOwnDocument(page, path);
  }
});

/** A table with rows or the words that it has none, or the calendar. */
const READY = '[role=tabpanel] :is([role=gridcell], [aria-busy=false] p, table):visible';

const LOOKS = [
  ['en', 1280, 'light'],
  ['zh-TW', 360, 'light'],
  ['jp', 360, 'dark'],
] as const;

// How Device Firmware looks is tested beside its own page, with tasks in it.
describe.each(PAGES.filter(({ path }) => path !== FIRMWARE))('$name', ({ path, member }) => {
  test.each(LOOKS)('S-1.4, S-1.5, S-9.11 is accessible in every language, and fits: %s, %i px, %s', async (...look) => {
    const [locale, width, colorScheme] = look;
    const page = await scene.openPage(member, path, { locale, width, colorScheme });
    for (const tab of await tabsOf(page)) {
      await tab.click();
      await page.locator(READY).first().waitFor();
      await expectAccessible(page, (await tab.innerText()).trim());
      await expectFits(page, (await tab.innerText()).trim());
      expectWords(await page.locator('body').innerText(), locale);
    }
  });
});

async function tabsOf(page: Awaited<ReturnType<TrackScene['openPage']>>) {
  await page.getByRole('tab').first().waitFor();
  return page.getByRole('tab').all();
}

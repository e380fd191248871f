// The three pages of looking after devices on the real gateway: who reaches them, and how they stand in the shell.
import { afterAll, beforeAll, describe, test } from 'vitest';
import { FIRMWARE_IMAGES_PATH } from '../../../../shared/protocol/api/firmware/images.ts';
import { FIRMWARE_TASKS_PATH } from '../../../../shared/protocol/api/firmware/tasks.ts';
import { NETFLOW_DEVICES_PATH, SIM_PLANS_PATH } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { SYNC_ITEMS_PATH, SYNC_RULES_PATH } from '../../../../shared/protocol/api/sync/sync.ts';
import { expectOwnDocument } from '../../../support/browser/framedPage.ts';
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

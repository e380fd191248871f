// A gateway that dies in the middle of a firmware task, under an open page, and comes back.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasEnded } from '../../../../server/firmware/rules/course.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { startTrackScene, type TrackScene } from '../tracks/trackScene.ts';
import { addImage, addModel, devicesOf, startTask, startVan, taskWhen, untilKnown, vansOf } from './firmwareScene.ts';

const VANS = vansOf(10);
const IMAGE_BYTES = 3_000_000;
/** While nobody answers at the address, the browser says so. */
const AWAY = [{ url: /^(http|ws):\/\/127\.0\.0\.1:\d+\//, status: 'failed' }] as const;

let scene: TrackScene;
beforeAll(async () => {
  scene = await startTrackScene({ vehicles: VANS });
});
afterAll(() => scene?.close());

test('a gateway killed at 40 % goes on with the task: every van is flashed once, and the open page shows it (S-2.4.7)', async () => {
  await addModel(scene);
  const image = await addImage(scene, { bytes: IMAGE_BYTES });
  const vans = VANS.map((vehicle) => startVan(scene, vehicle));
  await untilKnown(scene, VANS.length);
  const task = await startTask(scene, image, { devices: VANS.map(({ deviceId }) => deviceId), concurrency: 2 });
  const page = await scene.openPage('fitter', `/innerpage/firmware.html?task=${task.id}`, { allowed: AWAY });
  await page.getByRole('heading', { name: task.name }).waitFor();

  // A van whose last packages are on their way at the kill is followed for 15 minutes: firmwareCrash.test.ts allows for those.
  const isInTheMiddle = () => {
    const coming = vans.map(({ arrivedShare }) => arrivedShare).filter((share) => share > 0);
    return coming.length > 0 && coming.every((share) => share > 0.1 && share < 0.6);
  };
  const before = await waitFor(
    'four of ten vans are done, and others are being sent to',
    () => devicesOf(scene, task),
    (devices) =>
      devices.filter(({ state }) => state === 'done').length >= 4 &&
      devices.some(({ state }) => state === 'sending') &&
      isInTheMiddle(),
    60_000,
  );
  await scene.product.kill();
  const sending = before.filter(({ state }) => state === 'sending').map(({ name }) => name);
  expect(vans.filter(({ firmwareVersion }) => firmwareVersion === '1.0').length).toBeGreaterThanOrEqual(2);
  await scene.product.startAgain();

  const after = await waitFor(
    'every van has come to an end',
    () => devicesOf(scene, task),
    (devices) => devices.every(({ state }) => hasEnded(state)),
    90_000,
  );
  expect(await taskWhen(scene, task, ({ state }) => state !== 'running')).toMatchObject({ state: 'done' });
  for (const device of after) expect(device).toMatchObject({ state: 'done', versionAfter: '1.1', attempts: 1 });
  expect(after.map(({ deviceid }) => deviceid).sort()).toEqual(VANS.map(({ deviceId }) => deviceId).sort());
  // A vehicle that was being sent to may have had all of it at the kill; none got it twice.
  expect(vans.map(({ images }) => images.length)).toEqual(VANS.map(() => 1));
  expect(vans.map(({ firmwareVersion }) => firmwareVersion)).toEqual(VANS.map(() => '1.1'));
  // Nobody has reloaded it.
  for (const name of sending) {
    await page.locator('[role=row][data-id]').filter({ hasText: name }).first().getByText('Done').waitFor();
  }
  await page.getByText('10 of 10').first().waitFor();
});

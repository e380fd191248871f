// The gateway as users run it, killed at random moments while it sends firmware: in packages, and by URL.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { FirmwareTask } from '../../../../shared/protocol/api/firmware/tasks.ts';
import { IS_LONG } from '../../../support/runner/long.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { startTrackScene } from '../tracks/trackScene.ts';
import { addImage, addModel, devicesOf, startTask, startVan, untilKnown, vansOf } from './firmwareScene.ts';

const KILLS = IS_LONG ? 50 : 1;
/** A kill at the worst moment costs one van its image; of many kills not every one does. */
const MOST_LOST = IS_LONG ? KILLS - 1 : KILLS;
/** A task of its own for each kill, so that there is something to kill however fast the machine has been until then. */
const TASK_VANS = 5;
const VANS = vansOf(TASK_VANS * KILLS);
const IMAGE_BYTES = 1_000_000;
/** From the first byte to its settling, and somewhat beyond. */
const LONGEST_MS = 4_000;
/** Half of the vans download; every other one works on with its old version while it installs. */
const INSTALL_MS = 6_000;

test(`killed during firmware tasks, it flashes every van once and knows of each what it has (times: ${KILLS})`, async () => {
  const scene = await startTrackScene({ vehicles: VANS });
  try {
    await addModel(scene, { pattern: 'Packer' });
    await addModel(scene, { pattern: 'Fetcher', method: 'http' });
    const image = await addImage(scene, { bytes: IMAGE_BYTES, models: ['Packer', 'Fetcher'] });
    const vans = VANS.map((vehicle, at) =>
      startVan(scene, vehicle, {
        model: at % 2 === 0 ? 'Packer' : 'Fetcher',
        firmware: { rangeBytes: 200_000, ...(at % 4 < 2 ? { installMs: INSTALL_MS } : {}) },
      }),
    );
    const vanOf = (deviceid: string) => vans[VANS.findIndex((each) => each.deviceId === deviceid)] ?? expect.fail();
    await untilKnown(scene, VANS.length);
    const tasks: FirmwareTask[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const own = VANS.slice(kill * TASK_VANS, (kill + 1) * TASK_VANS).map(({ deviceId }) => deviceId);
      // All at once: whoever may have the image holds its place for a quarter of an hour.
      const task = await startTask(scene, image, { devices: own, concurrency: TASK_VANS });
      tasks.push(task);
      await waitFor(
        'a van has its turn',
        () => devicesOf(scene, task),
        (all) => all.some(({ state }) => state !== 'queued' && state !== 'waiting'),
      );
      await delay(Math.random() * LONGEST_MS);
      await scene.product.kill();
      await scene.product.startAgain();
    }
    const devices = await waitFor(
      'every van is done, or may have the image',
      async () => (await Promise.all(tasks.map((task) => devicesOf(scene, task)))).flat(),
      (all) =>
        all.every(({ deviceid, state, fault }) => {
          const mayHave = state === 'verifying' && fault !== '';
          return state === 'done' || (mayHave && vanOf(deviceid).images.length === 0);
        }),
      60_000 + VANS.length * 10_000,
    );
    for (const { deviceid, state, versionAfter } of devices) {
      const { firmwareVersion, images } = vanOf(deviceid);
      const taken = images.map(({ sha256 }) => sha256);
      const isDone = state === 'done';
      expect({ deviceid, versionAfter }).toEqual({ deviceid, versionAfter: isDone ? '1.1' : '' });
      // A kill between what is stored before the last bytes and these bytes: within 15 minutes it is known that they were lost.
      expect({ deviceid, firmwareVersion, taken }).toEqual({
        deviceid,
        firmwareVersion: isDone ? '1.1' : '1.0',
        taken: isDone ? [image.sha256] : [],
      });
    }
    expect(devices).toHaveLength(VANS.length);
    expect(devices.filter(({ state }) => state === 'done').length).toBeGreaterThanOrEqual(VANS.length - MOST_LOST);
  } finally {
    await scene.close();
  }
});

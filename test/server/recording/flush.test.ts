// How soon what came is on the disk: a gateway that is killed loses what is not. The clock is the test's.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRecorderScene, type RecorderScene } from './recorderScene.ts';
import { PICTURE_MS } from './recordingScene.ts';

/** A round of writes every 300 ms, the picture that is on its way, and the step in which this looks. */
const MOST_BEHIND_MS = 300 + 2 * PICTURE_MS;

let scene: RecorderScene;
beforeEach(async () => {
  scene = await createRecorderScene();
  await scene.stores.devices.insert({ deviceId: 'BUS1', archiveId: 'BUS1', name: 'Bus 1', chn: 1 });
});
afterEach(() => scene.close());

it('is written within a third of a second, at every moment', async () => {
  const policy = { mode: 'always', quality: 'main', schedule: [], retentionDays: 0 } as const;
  await scene.stores.recordingPolicies.set({ deviceId: 'BUS1', channel: 0 }, policy);
  await scene.startRecorder();
  await scene.run(10);
  const behindMs: number[] = [];
  for (let step = 0; step < 50; step++) {
    await scene.run(PICTURE_MS / 1_000);
    behindMs.push(scene.clock.now - ((await scene.pictures()).at(-1)?.wallMs ?? 0));
  }
  expect(Math.max(...behindMs)).toBeLessThanOrEqual(MOST_BEHIND_MS);
});

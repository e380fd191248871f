// Channels that are recorded because of an event, and what the recorder says of its channels.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RecordingKey } from '../../../server/recording/recordingPlan.ts';
import type { RecordingPolicy } from '../../../server/store/recordings/recordingPolicies.ts';
import { createRecorderScene, type RecorderScene } from './recorderScene.ts';
import { NOON } from './recordingScene.ts';

const ALWAYS: RecordingPolicy = { mode: 'always', quality: 'sub', schedule: [], retentionDays: 0 };

let scene: RecorderScene;
beforeEach(async () => {
  scene = await createRecorderScene();
  await scene.stores.devices.insert({ deviceId: 'BUS1', archiveId: 'BUS1', name: 'Bus 1', chn: 2 });
});
afterEach(() => scene.close());

it('records a channel that no policy wants, at once and until its end', async () => {
  const recorder = await scene.startRecorder();
  await recorder.record('BUS1', [2], NOON + 10_000);
  expect(scene.sources).toEqual(new Set(['BUS1/2/main']));
  await scene.run(20);
  expect(scene.sources).toEqual(new Set());
  const pictures = await scene.pictures('BUS1', 2);
  expect(pictures.length).toBeGreaterThan(9 * 25);
  expect(pictures.length).toBeLessThan(12 * 25);
});

it('leaves a channel that is recorded already as it is', async () => {
  await scene.stores.recordingPolicies.set({ deviceId: 'BUS1', channel: 0 }, ALWAYS);
  const recorder = await scene.startRecorder();
  await recorder.record('BUS1', [1], NOON + 3_000);
  await scene.run(6);
  expect(scene.sources).toEqual(new Set(['BUS1/1/sub', 'BUS1/2/sub']));
});

it.each([
  ['is disabled', 'BUS2'],
  ['is unknown', 'BUS9'],
])('records nothing of a device that %s', async (_, deviceId) => {
  await scene.stores.devices.insert({ deviceId: 'BUS2', name: 'Bus 2', chn: 1, disabled: true });
  const recorder = await scene.startRecorder();
  await recorder.record(deviceId, [1], NOON + 10_000);
  expect(scene.sources).toEqual(new Set());
});

it('records no more of a device that is deleted', async () => {
  const recorder = await scene.startRecorder();
  await recorder.record('BUS1', [1], NOON + 10_000);
  recorder.deviceRemoved('BUS1');
  await scene.run(6);
  expect(scene.sources).toEqual(new Set());
});

it('says which channels should be recorded, and which are', async () => {
  await scene.stores.recordingPolicies.set({ deviceId: 'BUS1', channel: 0 }, ALWAYS);
  const recorder = await scene.startRecorder();
  expect(recorder.channelStates()).toEqual(new Map([['BUS1', { dueBits: 0b11, writtenBits: 0, withheldBits: 0 }]]));
  await scene.run(3);
  expect(recorder.channelStates()).toEqual(new Map([['BUS1', { dueBits: 0b11, writtenBits: 0b11, withheldBits: 0 }]]));
  // The stream falls silent.
  scene.clock.now += 61_000;
  expect(recorder.channelStates()).toEqual(new Map([['BUS1', { dueBits: 0b11, writtenBits: 0, withheldBits: 0 }]]));
});

it('S-2.4.9 tells channels that a data plan withholds from those that are missing', async () => {
  await scene.stores.recordingPolicies.set({ deviceId: 'BUS1', channel: 0 }, ALWAYS);
  const isWithheld = ({ channel, purpose }: RecordingKey) => channel === 2 && purpose !== 'event';
  const recorder = await scene.startRecorder({}, { isWithheld });
  expect(recorder.channelStates().get('BUS1')).toEqual({ dueBits: 0b01, writtenBits: 0, withheldBits: 0b10 });
  await recorder.record('BUS1', [2], NOON + 10_000);
  expect(recorder.channelStates().get('BUS1')).toMatchObject({ dueBits: 0b11, withheldBits: 0 });
});

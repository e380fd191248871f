import { afterEach, beforeEach, expect, test } from 'vitest';
import { LEAD_MS } from '../../../../server/recording/playback/channelFeed.ts';
import { LIVE_EDGE_MS } from '../../../../server/recording/playback/playbackSession.ts';
import { FRAME_MS } from '../../../../simulator/clip/clipFormat.ts';
import { type Clip, loadDemoClip } from '../../../../simulator/clip/loadClip.ts';
import { GrowingRecording } from '../../../support/media/recordedDay.ts';
import { openRecordingScene, type RecordingScene } from './scene.ts';
import { SessionScene } from './sessionScene.ts';

const DEVICE = 'van-1';
const START = Date.UTC(2026, 2, 1, 14);

let recordings: RecordingScene;
let scene: SessionScene;
let recording: GrowingRecording;
let clip: Clip;

beforeEach(async () => {
  recordings = await openRecordingScene();
  clip = await loadDemoClip('road');
  recording = new GrowingRecording(recordings, { archiveId: DEVICE, channel: 1, clip }, START);
  recordings.recorder = recording;
  scene = new SessionScene(recordings.gopReader, START);
});
afterEach(async () => {
  scene.sessions.close();
  await recording.close();
  await recordings.close();
  expect(scene.faults).toEqual([]);
});

/** Time and the recording go on together; the writer is called every second, as the recorder calls it. */
async function goOn(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await scene.time.advance(1_000);
    await recording.recordUntil(scene.time.nowMs + scene.time.wallOffsetMs);
  }
}

test('play close behind what is recorded goes on and on, over the ends of segments', async () => {
  await goOn(20);
  const { viewer } = scene.watch(DEVICE, 1, START + 10_000);
  await goOn(100);
  expect(viewer.eventsOf('gap')).toEqual([]);
  expect(viewer.eventsOf('ended')).toEqual([]);
  const times = viewer.pictureTimes;
  expect(times[0]).toBe(START + 10_000);
  expect(times.every((at, index) => index === 0 || at === (times[index - 1] ?? 0) + FRAME_MS)).toBe(true);
  expect(times.at(-1)).toBe(START + 110_000 + LEAD_MS);
});

test('fast play that reaches what is being recorded goes on at its pace, and says so', async () => {
  await goOn(60);
  const { viewer, say } = scene.watch(DEVICE, 1, START + 20_000);
  say({ type: 'speed', speed: 8 });
  await goOn(15);
  const clock = viewer.eventsOf('clock').at(-1);
  expect(clock).toMatchObject({ speed: 1, paused: false });
  expect(clock?.positionMs).toBeGreaterThan(START + 60_000);
  viewer.forget();
  await goOn(10);
  const edge = START + 85_000 - LIVE_EDGE_MS;
  expect(Math.max(...viewer.pictureTimes)).toBeGreaterThan(edge - 1_000);
  expect(viewer.eventsOf('gap')).toEqual([]);
});

test('a link to this very moment shows what there is', async () => {
  await goOn(30);
  const { viewer } = scene.watch(DEVICE, 1, START + 29_500);
  expect(viewer.events[0]).toMatchObject({ positionMs: START + 30_000 - LIVE_EDGE_MS });
  await goOn(5);
  expect(viewer.pictureTimes.length).toBeGreaterThan(100);
});

test('a recording that is over while it is followed ends the session', async () => {
  await goOn(30);
  const { viewer } = scene.watch(DEVICE, 1, START + 25_000);
  await goOn(2);
  await recording.close();
  await scene.time.advance(12_000);
  expect(Math.max(...viewer.pictureTimes)).toBe(START + 32_000 - FRAME_MS);
  expect(viewer.eventsOf('gap')).toEqual([{ type: 'gap', untilMs: null }]);
  expect(viewer.eventsOf('ended')).toHaveLength(1);
});

test('what begins to be recorded while a viewer waits for it is played', async () => {
  await goOn(30);
  const { viewer } = scene.watch(DEVICE, 1, START + 5_000);
  await recording.close();
  await scene.time.advance(20_000);
  recording.begin(START + 50_000);
  viewer.forget();
  await goOn(20);
  const [first] = viewer.pictureTimes;
  expect(first).toBeLessThanOrEqual(START + 30_000);
  expect(viewer.eventsOf('gap').at(-1)).toEqual({ type: 'gap', untilMs: START + 50_000 });
  await goOn(40);
  expect(Math.max(...viewer.pictureTimes)).toBeGreaterThan(START + 60_000);
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LEAD_MS } from '../../../../server/recording/playback/channelFeed.ts';
import { FRAME_MS, KEY_FRAME_INTERVAL } from '../../../../simulator/clip/clipFormat.ts';
import type { ClipName } from '../../../../simulator/clip/clipList.ts';
import { type Clip, loadDemoClips } from '../../../../simulator/clip/loadClip.ts';
import { recordChannel } from '../../../support/media/recordedDay.ts';
import { openRecordingScene, type RecordingScene } from './scene.ts';
import { SessionScene, type Watching } from './sessionScene.ts';

const DEVICE = 'van-1';
const START = Date.UTC(2026, 2, 1, 14);
const GAP_FROM = START + 120_000;
const GAP_TO = START + 180_000;
const END = START + 240_000;
const LATER = START + 86_400_000;
const GROUP_MS = KEY_FRAME_INTERVAL * FRAME_MS;

let recordings: RecordingScene;
let clips: Readonly<Record<ClipName, Clip>>;
let scene: SessionScene;

beforeAll(async () => {
  recordings = await openRecordingScene();
  clips = await loadDemoClips();
  const whole = [{ fromMs: START, toMs: END }];
  const holed = [
    { fromMs: START, toMs: GAP_FROM },
    { fromMs: GAP_TO, toMs: END },
  ];
  const base = { archiveId: DEVICE };
  await recordChannel(recordings, { ...base, channel: 1, clip: clips.road, spans: whole, withSound: true });
  await recordChannel(recordings, { ...base, channel: 2, clip: clips.rear, spans: holed });
  await recordChannel(recordings, { ...base, channel: 3, clip: clips.cabin, spans: whole });
  await recordChannel(recordings, { ...base, channel: 4, clip: clips.side, spans: whole });
});
afterAll(() => recordings.close());
beforeEach(() => {
  scene = new SessionScene(recordings.gopReader, LATER);
});
afterEach(() => {
  scene.sessions.close();
  expect(scene.faults).toEqual([]);
});

const watch = (channel: number, startMs: number, wantsAudio = false): Watching =>
  scene.watch(DEVICE, channel, startMs, { wantsAudio });

/** Whole pictures between two moments, both included. */
function framesBetween(fromMs: number, toMs: number): number[] {
  const frames: number[] = [];
  for (let atMs = Math.ceil(fromMs / FRAME_MS) * FRAME_MS; atMs <= toMs; atMs += FRAME_MS) frames.push(atMs);
  return frames;
}

describe('a session that begins', () => {
  test('tells its clock, then what the sound is, then sends from the key frame on', async () => {
    const { viewer } = watch(1, START + 11_200, true);
    expect(viewer.events).toEqual([{ type: 'clock', positionMs: START + 11_200, speed: 1, paused: false }]);
    await scene.time.advance(0);
    expect(viewer.events[1]).toMatchObject({ type: 'format', codec: 34, sampleRate: 8_000 });
    expect(viewer.pictureTimes).toEqual(framesBetween(START + 10_000, START + 11_200 + LEAD_MS));
    expect(viewer.packets.filter(({ discontinuity }) => discontinuity && viewer.pictureTimes).length).toBeGreaterThan(
      0,
    );
    expect(viewer.packets[0]).toMatchObject({ key: true, discontinuity: true });
  });

  test('sends no sound from before its position', async () => {
    const { viewer } = watch(1, START + 11_200, true);
    await scene.time.advance(0);
    expect(viewer.soundTimes).toEqual(framesBetween(START + 11_200, START + 11_200 + LEAD_MS));
  });

  test('plays at the pace of the clock, with its lead, in pictures and sound', async () => {
    const { viewer } = watch(1, START, true);
    await scene.time.advance(10_000);
    expect(viewer.pictureTimes).toEqual(framesBetween(START, START + 10_000 + LEAD_MS));
    expect(viewer.soundTimes).toEqual(framesBetween(START, START + 10_000 + LEAD_MS));
    expect(viewer.packets.filter(({ kind, discontinuity }) => kind === 1 && discontinuity)).toHaveLength(1);
  });

  test('tells its clock every second', async () => {
    const { viewer } = watch(1, START);
    await scene.time.advance(5_100);
    const clocks = viewer.eventsOf('clock');
    expect(clocks.length).toBeGreaterThanOrEqual(5);
    for (const { positionMs } of clocks.slice(1)) expect((positionMs - START) % 1_000).toBeLessThan(250);
  });

  test('sends no sound to a viewer that wants none', async () => {
    const { viewer } = watch(1, START);
    await scene.time.advance(1_000);
    expect(viewer.soundTimes).toEqual([]);
    expect(viewer.eventsOf('format')).toEqual([]);
  });

  test('goes on over the end of a segment as if there were none', async () => {
    const { viewer } = watch(1, START + 58_000);
    await scene.time.advance(5_000);
    expect(viewer.pictureTimes).toEqual(framesBetween(START + 58_000, START + 63_000 + LEAD_MS));
  });

  test('sends pictures that are shown in another order up to the moment, and no more', async () => {
    const { viewer } = watch(3, START + 4_000);
    await scene.time.advance(2_000);
    const sorted = [...viewer.pictureTimes].sort((left, right) => left - right);
    const until = START + 6_000 + LEAD_MS;
    expect(sorted.filter((at) => at <= until)).toEqual(framesBetween(START + 4_000, until));
    expect(sorted.filter((at) => at > until).length).toBeLessThanOrEqual(1);
  });
});

describe('pause, seek and step', () => {
  test('a pause stops everything, and resuming goes on with the next picture', async () => {
    const { viewer, say } = watch(1, START);
    await scene.time.advance(1_000);
    say({ type: 'pause' });
    const count = viewer.packets.length;
    await scene.time.advance(5_000);
    expect(viewer.packets).toHaveLength(count);
    expect(viewer.events.at(-1)).toEqual({ type: 'clock', positionMs: START + 1_000, speed: 1, paused: true });
    say({ type: 'resume' });
    await scene.time.advance(1_000);
    expect(viewer.pictureTimes).toEqual(framesBetween(START, START + 2_000 + LEAD_MS));
  });

  test.each([START + 100_000, START + 7, START + 59_999, START + 200_123])(
    'a seek to %d sends its group',
    async (to) => {
      const { viewer, say } = watch(1, START + 30_000);
      await scene.time.advance(500);
      viewer.forget();
      say({ type: 'seek', positionMs: to });
      await scene.time.advance(0);
      expect(viewer.events[0]).toEqual({ type: 'clock', positionMs: to, speed: 1, paused: false });
      expect(viewer.pictureTimes).toEqual(framesBetween(Math.floor(to / GROUP_MS) * GROUP_MS, to + LEAD_MS));
      expect(viewer.packets[0]).toMatchObject({ key: true, discontinuity: true });
    },
  );

  test.each([1, 2, 3, 4])(
    'a paused seek ends with the newest picture at or before it, on channel %d',
    async (channel) => {
      const { viewer, say } = watch(channel, START + 30_000);
      say({ type: 'pause' });
      await scene.time.advance(100);
      viewer.forget();
      say({ type: 'seek', positionMs: START + 61_230 });
      await scene.time.advance(3_000);
      const shown = viewer.pictureTimes.filter((at) => at <= START + 61_230);
      expect(Math.max(...shown)).toBe(START + 61_200);
      expect(viewer.pictureTimes.at(-1)).toBeLessThanOrEqual(START + 61_230);
      const group = channel === 2 ? 10_000 : GROUP_MS;
      expect([...shown].sort((a, b) => a - b)).toEqual(
        framesBetween(Math.floor((START + 61_230) / group) * group, START + 61_230),
      );
    },
  );

  test('of many seeks at once the last one counts', async () => {
    const { viewer, say } = watch(1, START);
    await scene.time.advance(100);
    viewer.forget();
    for (let second = 10; second <= 100; second++) say({ type: 'seek', positionMs: START + second * 1_000 });
    await scene.time.advance(40);
    expect(viewer.pictureTimes).toEqual(framesBetween(START + 100_000, START + 100_040 + LEAD_MS));
  });

  test('a step forward sends the new picture alone, as long as the group lasts', async () => {
    const { viewer, say } = watch(1, START);
    say({ type: 'pause' });
    say({ type: 'seek', positionMs: START + 50_400 });
    await scene.time.advance(100);
    for (let count = 1; count <= 3; count++) {
      viewer.forget();
      say({ type: 'step', frames: 1 });
      await scene.time.advance(100);
      expect(viewer.pictureTimes).toEqual([START + 50_400 + count * FRAME_MS]);
      const positionMs = START + 50_400 + count * FRAME_MS;
      expect(viewer.events).toEqual([{ type: 'clock', positionMs, speed: 1, paused: true }]);
    }
  });

  test('a step back goes through the group again', async () => {
    const { viewer, say } = watch(1, START);
    say({ type: 'pause' });
    say({ type: 'seek', positionMs: START + 50_400 });
    await scene.time.advance(100);
    viewer.forget();
    say({ type: 'step', frames: -1 });
    await scene.time.advance(100);
    expect(viewer.pictureTimes).toEqual(framesBetween(START + 50_000, START + 50_360));
    expect(viewer.packets[0]).toMatchObject({ key: true, discontinuity: true });
  });

  test('steps that come in quick succession are all taken', async () => {
    const { viewer, say } = watch(1, START);
    say({ type: 'pause' });
    say({ type: 'seek', positionMs: START + 50_400 });
    await scene.time.advance(100);
    for (let count = 0; count < 30; count++) say({ type: 'step', frames: 1 });
    await scene.time.advance(100);
    expect(viewer.eventsOf('clock').at(-1)?.positionMs).toBe(START + 50_400 + 30 * FRAME_MS);
    expect(Math.max(...viewer.pictureTimes)).toBe(START + 50_400 + 30 * FRAME_MS);
  });

  test('a step while it plays pauses it', async () => {
    const { viewer, say } = watch(1, START);
    await scene.time.advance(1_000);
    say({ type: 'step', frames: 1 });
    await scene.time.advance(2_000);
    expect(viewer.events.at(-1)).toEqual({ type: 'clock', positionMs: START + 1_040, speed: 1, paused: true });
  });

  test('pictures that were switched off come back at the moment, and sound goes on meanwhile', async () => {
    const { viewer, say } = watch(1, START, true);
    await scene.time.advance(1_000);
    say({ type: 'video', on: false });
    viewer.forget();
    await scene.time.advance(4_000);
    expect(viewer.pictureTimes).toEqual([]);
    expect(viewer.soundTimes.length).toBeGreaterThan(90);
    say({ type: 'video', on: true });
    await scene.time.advance(0);
    expect(viewer.pictureTimes).toEqual(framesBetween(START + 4_000, START + 5_000 + LEAD_MS));
    await scene.time.advance(1_000);
    expect(viewer.soundTimes).toEqual([...new Set(viewer.soundTimes)]);
  });
});

describe('speed', () => {
  test.each([0.25, 0.5, 2, 4])('%d sends every picture, that much faster', async (speed) => {
    const { viewer, say } = watch(1, START, true);
    say({ type: 'speed', speed });
    await scene.time.advance(8_000);
    expect(viewer.pictureTimes).toEqual(framesBetween(START, START + (8_000 + LEAD_MS) * speed));
    expect(viewer.soundTimes).toEqual([]);
  });

  test.each([8, 16])('%d sends key frames alone', async (speed) => {
    const { viewer, say } = watch(1, START);
    say({ type: 'speed', speed });
    viewer.forget();
    await scene.time.advance(4_000);
    const until = START + (4_000 + LEAD_MS) * speed;
    const keys = framesBetween(START, until).filter((at) => at % GROUP_MS === 0);
    expect(viewer.pictureTimes).toEqual(keys);
    expect(viewer.packets.every(({ key }) => key)).toBe(true);
  });

  test('back from fast play the pictures begin at the position', async () => {
    const { viewer, say } = watch(1, START);
    say({ type: 'speed', speed: 16 });
    await scene.time.advance(4_000);
    viewer.forget();
    say({ type: 'speed', speed: 1 });
    await scene.time.advance(0);
    expect(viewer.eventsOf('clock')[0]).toMatchObject({ positionMs: START + 64_000, speed: 1 });
    expect(viewer.pictureTimes).toEqual(framesBetween(START + 64_000, START + 64_000 + LEAD_MS));
  });

  test('a change does not move the position, and sound comes back at its own pace', async () => {
    const { viewer, say } = watch(1, START, true);
    await scene.time.advance(1_000);
    say({ type: 'speed', speed: 4 });
    await scene.time.advance(1_000);
    viewer.forget();
    say({ type: 'speed', speed: 1 });
    expect(viewer.eventsOf('clock')).toEqual([{ type: 'clock', positionMs: START + 5_000, speed: 1, paused: false }]);
    await scene.time.advance(3_000);
    expect(viewer.soundTimes[0]).toBeLessThanOrEqual(START + 5_000 + FRAME_MS);
    expect(viewer.soundTimes.length).toBeGreaterThan(70);
    expect(new Set(viewer.pictureTimes).size).toBe(viewer.pictureTimes.length);
  });
});

describe('holes and ends', () => {
  test('a hole is told when it is reached, and the channel comes back by itself', async () => {
    const { viewer } = watch(2, GAP_FROM - 5_000);
    await scene.time.advance(4_500);
    expect(viewer.eventsOf('gap')).toEqual([]);
    await scene.time.advance(1_000);
    expect(viewer.eventsOf('gap')).toEqual([{ type: 'gap', untilMs: GAP_TO }]);
    viewer.forget();
    await scene.time.advance(60_000);
    expect(viewer.pictureTimes).toEqual(framesBetween(GAP_TO, GAP_FROM + 60_500 + LEAD_MS));
    expect(viewer.packets[0]).toMatchObject({ key: true, discontinuity: true });
    expect(viewer.eventsOf('gap')).toEqual([]);
  });

  test('a seek into a hole says so at once, and a paused one sends no picture', async () => {
    const { viewer, say } = watch(2, START);
    say({ type: 'pause' });
    await scene.time.advance(100);
    viewer.forget();
    say({ type: 'seek', positionMs: GAP_FROM + 10_000 });
    await scene.time.advance(100);
    expect(viewer.events.map(({ type }) => type)).toEqual(['clock', 'gap']);
    expect(viewer.pictureTimes).toEqual([]);
  });

  test('the other channels play on over one channel’s hole', async () => {
    const whole = watch(1, GAP_FROM - 2_000);
    const holed = watch(2, GAP_FROM - 2_000);
    await scene.time.advance(4_000);
    expect(holed.viewer.eventsOf('gap')).toHaveLength(1);
    expect(Math.max(...whole.viewer.pictureTimes)).toBe(GAP_FROM + 2_000 + LEAD_MS);
  });

  test('when nothing follows on any channel the session ends, and a seek backwards plays again', async () => {
    const first = watch(1, END - 2_000);
    const second = watch(3, END - 2_000);
    await scene.time.advance(4_000);
    for (const { viewer } of [first, second]) {
      expect(viewer.eventsOf('ended')).toHaveLength(1);
      expect(viewer.eventsOf('gap')).toEqual([{ type: 'gap', untilMs: null }]);
      expect(viewer.eventsOf('clock').at(-1)).toMatchObject({ paused: true });
      viewer.forget();
    }
    first.say({ type: 'seek', positionMs: START });
    await scene.time.advance(2_000);
    for (const { viewer } of [first, second]) {
      expect(viewer.eventsOf('clock').at(-1)).toMatchObject({ paused: false });
      expect(Math.max(...viewer.pictureTimes)).toBeGreaterThan(START + 2_000);
    }
  });

  test('a channel without any recording ends alone only', async () => {
    const empty = watch(8, START);
    await scene.time.advance(300);
    const full = watch(1, START);
    await scene.time.advance(3_000);
    expect(empty.viewer.eventsOf('gap')).toEqual([{ type: 'gap', untilMs: null }]);
    expect([...empty.viewer.eventsOf('ended'), ...full.viewer.eventsOf('ended')]).toEqual([]);
    expect(Math.max(...full.viewer.pictureTimes)).toBeGreaterThan(START + 3_000);
  });

  test('a time that is still to come has nothing', async () => {
    const { viewer } = watch(1, LATER + 3_600_000);
    await scene.time.advance(2_000);
    expect(viewer.eventsOf('gap')).toEqual([{ type: 'gap', untilMs: null }]);
    expect(viewer.eventsOf('ended')).toHaveLength(1);
  });
});

describe('several viewers', () => {
  test('what one of them asks for moves all', async () => {
    const viewers = [1, 2, 3, 4].map((channel) => watch(channel, START + 10_000));
    await scene.time.advance(1_000);
    for (const { viewer } of viewers) viewer.forget();
    viewers[2]?.say({ type: 'seek', positionMs: START + 90_000 });
    await scene.time.advance(1_000);
    for (const { viewer } of viewers) {
      expect(viewer.eventsOf('clock')[0]).toMatchObject({ positionMs: START + 90_000 });
      expect(Math.max(...viewer.pictureTimes)).toBeGreaterThanOrEqual(START + 91_000 + LEAD_MS);
    }
  });

  test('stay together: at any moment each has been sent what all have', async () => {
    const viewers = [1, 2, 4].map((channel) => watch(channel, START + 10_000));
    for (let second = 0; second < 20; second++) {
      await scene.time.advance(137);
      const newest = viewers.map(({ viewer }) => Math.max(...viewer.pictureTimes));
      expect(Math.max(...newest) - Math.min(...newest)).toBeLessThanOrEqual(40);
    }
  });

  test('one that comes later begins where the others are', async () => {
    watch(1, START + 10_000);
    await scene.time.advance(5_000);
    const late = watch(2, START + 10_000);
    expect(late.viewer.events).toEqual([{ type: 'clock', positionMs: START + 15_000, speed: 1, paused: false }]);
  });

  test('other stream numbers are other sessions', async () => {
    const one = scene.watch(DEVICE, 1, START, { streamId: 1 });
    const two = scene.watch(DEVICE, 1, START, { streamId: 2 });
    one.say({ type: 'pause' });
    await scene.time.advance(2_000);
    expect(two.viewer.eventsOf('clock').at(-1)).toMatchObject({ paused: false });
    expect(scene.sessions.size).toBe(2);
  });

  test('a page that comes back finds position, speed and pause as they were', async () => {
    const before = watch(1, START);
    before.say({ type: 'speed', speed: 2 });
    await scene.time.advance(5_000);
    before.leave();
    await scene.time.advance(6_000);
    const again = watch(1, START);
    expect(again.viewer.events[0]).toEqual({ type: 'clock', positionMs: START + 10_000, speed: 2, paused: false });
    again.say({ type: 'pause' });
    again.leave();
    await scene.time.advance(6_000);
    const third = watch(1, START + 10_000);
    expect(third.viewer.events[0]).toEqual({ type: 'clock', positionMs: START + 10_000, speed: 2, paused: true });
  });

  test('a link to another time begins there, not where the page was before', async () => {
    watch(1, START).leave();
    const other = watch(1, START + 60_000);
    expect(other.viewer.events[0]).toMatchObject({ positionMs: START + 60_000 });
  });

  test('ten seconds after the last one left the session is over', async () => {
    watch(1, START).leave();
    await scene.time.advance(9_900);
    expect(scene.sessions.size).toBe(1);
    await scene.time.advance(200);
    expect(scene.sessions.size).toBe(0);
  });

  test('one whose connection is full holds up nobody, and goes on at a later key frame', async () => {
    const slow = watch(1, START);
    const quick = watch(3, START);
    await scene.time.advance(1_000);
    slow.viewer.queued = 10_000_000;
    slow.viewer.forget();
    await scene.time.advance(9_000);
    expect(slow.viewer.pictureTimes).toEqual([]);
    expect(Math.max(...quick.viewer.pictureTimes)).toBeGreaterThan(START + 10_000);
    slow.viewer.queued = 0;
    await scene.time.advance(4_000);
    expect(slow.viewer.packets[0]).toMatchObject({ key: true, discontinuity: true });
    expect(slow.viewer.pictureTimes[0]).toBeGreaterThanOrEqual(START + 10_000);
    expect(Math.max(...slow.viewer.pictureTimes)).toBe(START + 14_000 + LEAD_MS);
  });

  test('one that was held up for a moment misses nothing', async () => {
    const { viewer } = watch(1, START);
    await scene.time.advance(1_000);
    viewer.queued = 10_000_000;
    await scene.time.advance(2_000);
    viewer.queued = 0;
    await scene.time.advance(1_000);
    expect(viewer.pictureTimes).toEqual(framesBetween(START, START + 4_000 + LEAD_MS));
  });
});

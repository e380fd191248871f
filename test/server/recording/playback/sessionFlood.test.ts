// A viewer that asks for more than can be shown: what it costs, and that the last word counts.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { STEPS_LIMIT } from '../../../../server/recording/playback/stepTarget.ts';
import { FRAME_MS } from '../../../../simulator/clip/clipFormat.ts';
import { loadDemoClips } from '../../../../simulator/clip/loadClip.ts';
import { recordChannel } from '../../../support/media/recordedDay.ts';
import { openRecordingScene, type RecordingScene } from './scene.ts';
import { SessionScene, type Watching } from './sessionScene.ts';

const DEVICE = 'van-1';
const START = Date.UTC(2026, 2, 1, 14);
const MINUTES = 4;
const LAST = START + 150_000;

let recordings: RecordingScene;
let scene: SessionScene;

beforeAll(async () => {
  recordings = await openRecordingScene();
  const { road } = await loadDemoClips();
  const spans = [{ fromMs: START, toMs: START + MINUTES * 60_000 }];
  await recordChannel(recordings, { archiveId: DEVICE, channel: 1, clip: road, spans });
});
afterAll(() => recordings.close());
beforeEach(() => {
  scene = new SessionScene(recordings.gopReader, START + 86_400_000);
});
afterEach(() => {
  scene.sessions.close();
  expect(scene.faults).toEqual([]);
});

const somewhere = (number: number) => START + ((number * 7_919) % (MINUTES * 60_000 - 10_000));

/** A viewer that stands still and has what it needs. */
async function watchPaused(): Promise<Watching> {
  const watching = scene.watch(DEVICE, 1, START + 10_000);
  await scene.time.advance(500);
  watching.say({ type: 'pause' });
  await scene.time.advance(500);
  watching.viewer.forget();
  return watching;
}

const shown = ({ viewer }: Watching) => Math.max(...viewer.pictureTimes.slice(-60));

describe('a session that is asked for more than it can show', () => {
  test('looks up few of 40,000 places that come at once, and shows the last', async () => {
    const watching = await watchPaused();
    const before = scene.requests();
    for (let number = 1; number < 40_000; number++) watching.say({ type: 'seek', positionMs: somewhere(number) });
    watching.say({ type: 'seek', positionMs: LAST });
    await scene.time.advance(1_000);
    expect(shown(watching)).toBe(LAST);
    expect(watching.viewer.events.at(-1)).toMatchObject({ type: 'clock', positionMs: LAST, paused: true });
    expect(scene.requests() - before).toBeLessThan(100);
    expect(watching.viewer.events.length).toBeLessThan(20);
  });

  test('looks up few of 40,000 places that come within four seconds, and shows the last', async () => {
    const watching = await watchPaused();
    const before = scene.requests();
    for (let number = 1; number < 40_000; number++) {
      watching.say({ type: 'seek', positionMs: somewhere(number) });
      if (number % 100 === 0) await scene.time.advance(10);
    }
    watching.say({ type: 'seek', positionMs: LAST });
    await scene.time.advance(1_000);
    expect(shown(watching)).toBe(LAST);
    expect(scene.requests() - before).toBeLessThan(2_000);
    expect(watching.viewer.events.length).toBeLessThan(200);
  });

  test('reads one piece at a time, however often it is sent elsewhere while the disk is slow', async () => {
    const watching = await watchPaused();
    let open = 0;
    let most = 0;
    const { files } = recordings;
    const real = files.open;
    const waiting: (() => void)[] = [];
    files.open = async (...given) => {
      most = Math.max(most, ++open);
      await new Promise<void>((resolve) => waiting.push(resolve));
      open--;
      return real(...given);
    };
    try {
      // Time passes by hand: the scene's own would wait for the disk. How many turns the way to the file takes is the disk's
      // affair too: the flood begins when the first read stands.
      for (let number = 1, held = 0; held < 200; number++) {
        watching.say({ type: 'seek', positionMs: somewhere(number) });
        scene.time.pass(50);
        await new Promise((resolve) => setImmediate(resolve));
        if (open > 0) held++;
      }
      expect(most).toBe(1);
    } finally {
      files.open = real;
      for (const resume of waiting) resume();
    }
    watching.say({ type: 'seek', positionMs: LAST });
    await scene.time.advance(1_000);
    expect(shown(watching)).toBe(LAST);
  });

  test('sends its pictures off and on again a few times, and leaves them as was said last', async () => {
    const watching = await watchPaused();
    const before = scene.requests();
    for (let number = 0; number < 4_000; number++) watching.say({ type: 'video', on: number % 2 === 1 });
    await scene.time.advance(1_000);
    expect(scene.requests() - before).toBeLessThan(100);
    expect(shown(watching)).toBe(START + 10_480);
    watching.viewer.forget();
    for (let number = 0; number < 4_001; number++) watching.say({ type: 'video', on: number % 2 === 1 });
    watching.say({ type: 'seek', positionMs: LAST });
    await scene.time.advance(1_000);
    expect(watching.viewer.pictureTimes).toEqual([]);
  });

  test('takes steps together, and goes as far as all of them', async () => {
    const watching = await watchPaused();
    watching.say({ type: 'seek', positionMs: START + 60_000 });
    await scene.time.advance(500);
    const before = scene.requests();
    for (let number = 0; number < 500; number++) watching.say({ type: 'step', frames: 1 });
    for (let number = 0; number < 100; number++) watching.say({ type: 'step', frames: -1 });
    await scene.time.advance(1_000);
    expect(shown(watching)).toBe(START + 60_000 + 400 * FRAME_MS);
    expect(scene.requests() - before).toBeLessThan(300);
  });

  test('ends each of them: a key that is held shows pictures on the way', async () => {
    const watching = await watchPaused();
    watching.say({ type: 'seek', positionMs: START + 60_000 });
    await scene.time.advance(500);
    const places = new Set<number>();
    let steps = 0;
    // One place is where the steps begin, one where they end: a third lies on the way. On a slow disk a look-up takes many turns.
    while (places.size <= 2) {
      // A message in each turn: sooner than any look-up ends.
      if (steps < 500) watching.say({ type: 'step', frames: 1 });
      steps = Math.min(500, steps + 1);
      await new Promise((resolve) => setImmediate(resolve));
      const clock = watching.viewer.eventsOf('clock').at(-1);
      if (clock !== undefined) places.add(clock.positionMs);
    }
    await scene.time.advance(1_000);
    expect(shown(watching)).toBe(START + 60_000 + steps * FRAME_MS);
  });

  test.each([Number.MAX_VALUE, 1e9, -Number.MAX_VALUE])(
    'goes no further than a thousand pictures for steps of %d',
    async (frames) => {
      const watching = await watchPaused();
      watching.say({ type: 'seek', positionMs: START + 120_000 });
      await scene.time.advance(500);
      const before = scene.requests();
      for (let number = 0; number < 5; number++) watching.say({ type: 'step', frames });
      await scene.time.advance(1_000);
      const sign = Math.sign(frames);
      expect(watching.viewer.events.at(-1)).toMatchObject({
        positionMs: START + 120_000 + sign * STEPS_LIMIT.max * FRAME_MS,
      });
      expect(scene.requests() - before).toBeLessThan(300);
    },
  );
});

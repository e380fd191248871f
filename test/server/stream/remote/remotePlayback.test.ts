// Remote playback of a simulated terminal, over its real ports.
import { describe, expect } from 'vitest';
import type { StreamPacket } from '../../../../shared/protocol/stream/streamPacket.ts';
import { within } from '../../../support/runner/processorTime.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { HOUR, MINUTE_MS } from './remoteScene.ts';
import { it } from './remoteTest.ts';

const GAP = HOUR + 35 * MINUTE_MS;

/** How much faster than they were recorded the last of the pictures are shown; 0 while there are not so many. */
function paceOf(pictures: readonly StreamPacket[], count: number): number {
  const [first, last] = [pictures.at(-count), pictures.at(-1)];
  if (first === undefined || last === undefined) return 0;
  return ((last.deviceTimeMs - first.deviceTimeMs) * 1_000) / (last.mediaTimeUs - first.mediaTimeUs);
}

describe.concurrent('a recording on a terminal', () => {
  it.for([
    ['lists what will come', {}],
    ['only says yes', { playback: 'general-reply' }],
    ['says nothing and sends', { playback: 'media-first' }],
    ['knows no lists', { list: 'refused', playback: 'general-reply' }],
    ['lists the newest first', { list: 'newest-first' }],
    ['takes its time', { answerAfterMs: 500 }],
  ] as const)('is played from the second asked for, by a terminal that %s', async ([_, card], { start }) => {
    const scene = await start({ card });
    expect(await scene.play({ start: (HOUR + 3_000) as never })).toEqual({ ok: true });
    const page = scene.watch();
    await page.pictures(40);
    const times = page.video().map(({ deviceTimeMs }) => deviceTimeMs);
    // The key frame that decoding begins with, and then each picture 40 ms after the other.
    expect(times[0]).toBe(HOUR + 2_000);
    expect(times.map((time, index) => time - HOUR - 2_000 - index * 40).every((off) => off === 0)).toBe(true);
    expect(page.video()[0]).toMatchObject({ key: true, discontinuity: true });
    await waitFor('sound', () => page.sound().length > 10);
  });

  it('comes at the pace that it was recorded at, however fast the terminal sends', async ({ start }) => {
    const scene = await start({ card: { isUnpaced: true } });
    await scene.play();
    const page = scene.watch();
    await page.pictures(60);
    const came = page.cameAtMs.filter((_, index) => page.packets[index]?.kind === 1);
    const tookMs = (came.at(-1) ?? 0) - (came[0] ?? 0);
    expect(tookMs).toBeGreaterThan(2_200);
    expect(scene.told).toEqual(['queryResources', 'playbackRequest']);
  });

  it('ends with what was asked for, and the page is told', async ({ start }) => {
    const scene = await start({ card: { isUnpaced: true } });
    await scene.play({ durationMs: 3_000 });
    const page = scene.watch();
    await waitFor('the end', () => page.ends.length);
    expect(page.ends).toEqual([{ kind: 'ended' }]);
    expect(page.position).toBe(HOUR + 2_960);
    expect(scene.playback.isBusy('BUS1')).toBe(false);
    expect(scene.watch().ends).toEqual([{ kind: 'ended' }]);
  });

  it('goes on behind a gap at once', async ({ start }) => {
    const scene = await start();
    await scene.play({ start: (GAP - 1_000) as never, durationMs: 10 * MINUTE_MS });
    const page = scene.watch();
    await waitFor('pictures behind the gap', () => page.position >= GAP + 5 * MINUTE_MS + 400);
    const behind = page.video().find(({ deviceTimeMs }) => deviceTimeMs >= GAP + 5 * MINUTE_MS);
    expect(behind).toMatchObject({ key: true, discontinuity: true, deviceTimeMs: GAP + 5 * MINUTE_MS });
    expect(page.video().some(({ deviceTimeMs }) => deviceTimeMs >= GAP && deviceTimeMs < GAP + 5 * MINUTE_MS)).toBe(
      false,
    );
  });

  it('is known to the second where the time stamps count from zero', async ({ start }) => {
    const scene = await start({ quirks: { timestamps: 'from-zero' } });
    await scene.play();
    const page = scene.watch();
    await page.pictures(30);
    const times = page.video().map(({ deviceTimeMs }) => deviceTimeMs - HOUR);
    expect(times.slice(0, 3)).toEqual([0, 40, 80]);
  });
});

describe.concurrent('what the page asks for while it plays', () => {
  it('pauses terminal and pictures, and goes on where they were', async ({ start }) => {
    const scene = await start();
    await scene.play();
    const page = scene.watch();
    await page.pictures(10);
    page.say({ type: 'pause' });
    const paused = page.video().length;
    const at = page.position;
    await waitFor('the terminal is told', () => scene.told.includes('control 1 0'));
    await waitFor('the page is told', () => page.clock()?.paused === true);
    expect(page.clock()).toEqual({ type: 'clock', positionMs: at, speed: 1, paused: true });
    expect(page.video().length).toBe(paused);
    page.say({ type: 'resume' });
    await page.pictures(20);
    const times = page.video().map(({ deviceTimeMs }) => deviceTimeMs);
    expect(times.every((time, index) => index === 0 || time - (times[index - 1] ?? 0) === 40)).toBe(true);
    expect(page.clock()?.paused).toBe(false);
    // The time of the pause lies between the pictures for who shows them too.
    const shown = page.video().map(({ mediaTimeUs }) => mediaTimeUs);
    expect(shown.every((time, index) => index === 0 || time > (shown[index - 1] ?? 0))).toBe(true);
  });

  it.for([
    [2, 'control 3 2'],
    [4, 'control 3 3'],
  ] as const)('plays %d times as fast, without sound', async ([speed, command], { start }) => {
    const scene = await start();
    await scene.play({ durationMs: 5 * MINUTE_MS });
    const page = scene.watch();
    await page.pictures(10);
    page.say({ type: 'speed', speed });
    await waitFor('the terminal is told', () => scene.told.includes(command));
    expect(page.clock()?.speed).toBe(speed);
    const [sounds, from] = [page.sound().length, page.video().length];
    // What was on its way when the terminal was told comes at the pace before.
    await waitFor(
      'pictures at the pace',
      () => paceOf(page.video().slice(from), speed * 20),
      (pace) => Math.abs(pace - speed) < speed * 0.1,
    );
    expect(page.sound().length - sounds).toBeLessThan(5);
    page.say({ type: 'speed', speed: 1 });
    await waitFor('the terminal is told', () => scene.told.includes('control 0 0'));
    expect(page.clock()?.speed).toBe(1);
  });

  it('shows key frames alone at 8 and 16 times', async ({ start }) => {
    const scene = await start();
    await scene.play({ durationMs: 20 * MINUTE_MS });
    const page = scene.watch();
    await page.pictures(5);
    page.say({ type: 'speed', speed: 16 });
    await waitFor('the terminal is told', () => scene.told.includes('control 3 5'));
    const before = page.video().length;
    await page.pictures(12);
    const late = page.video().slice(before + 4);
    expect(late.every(({ key }) => key)).toBe(true);
    expect(late.map(({ deviceTimeMs }) => (deviceTimeMs - HOUR) % 2_000).every((off) => off === 0)).toBe(true);
  });

  it('plays slower than recorded by making the terminal wait', async ({ start }) => {
    const scene = await start();
    await scene.play();
    const page = scene.watch();
    await page.pictures(5);
    page.say({ type: 'speed', speed: 0.25 });
    const [from, fromMs] = [page.position, Date.now()];
    await page.pictures(12);
    expect((page.position - from) / (Date.now() - fromMs)).toBeLessThan(0.4);
    expect(scene.told.filter((each) => each.startsWith('control'))).toEqual([]);
  });

  it.for([
    ['forward', 30 * 1000 + 1_240],
    ['a little forward', 4_120],
    ['back', -20_000],
  ] as const)('drags %s, to the picture', async ([_, distanceMs], { start }) => {
    const scene = await start();
    const from = HOUR + MINUTE_MS;
    await scene.play({ start: HOUR, durationMs: 10 * MINUTE_MS });
    const page = scene.watch();
    page.say({ type: 'seek', positionMs: from });
    await waitFor('the first place', () => page.position >= from + 400);
    const target = page.position + distanceMs;
    const before = page.video().length;
    page.say({ type: 'seek', positionMs: target });
    expect(page.clock()?.positionMs).toBe(target);
    await waitFor('its pictures', () => page.position >= target && page.video().length > before);
    const came = page.video().slice(before);
    expect(came[0]).toMatchObject({ key: true, discontinuity: true });
    const shown = came.find(({ deviceTimeMs }) => deviceTimeMs >= target);
    expect((shown?.deviceTimeMs ?? 0) - target).toBeLessThan(40);
    expect(came[0]?.deviceTimeMs).toBeGreaterThan(target - 3_100);
  });

  it('drags while paused, and goes on there', async ({ start }) => {
    const scene = await start();
    await scene.play({ durationMs: 10 * MINUTE_MS });
    const page = scene.watch();
    await page.pictures(5);
    page.say({ type: 'pause' });
    await waitFor('the pause', () => scene.told.includes('control 1 0'));
    const target = HOUR + 5 * MINUTE_MS;
    page.say({ type: 'seek', positionMs: target });
    page.say({ type: 'resume' });
    await waitFor('the picture', () => page.position >= target);
    expect(page.clock()?.paused).toBe(false);
  });

  it('shows the picture at the place while it is paused, and stops the terminal again', async ({ start }) => {
    const scene = await start();
    await scene.play({ durationMs: 10 * MINUTE_MS });
    const page = scene.watch();
    await page.pictures(5);
    page.say({ type: 'pause' });
    await waitFor('the pause', () => scene.told.includes('control 1 0'));
    const target = HOUR + 5 * MINUTE_MS + 1_000;
    page.say({ type: 'seek', positionMs: target });
    await waitFor('the picture', () => page.position >= target);
    expect(page.position).toBe(target);
    const pauses = () => scene.told.filter((each) => each === 'control 1 0').length;
    await waitFor('the terminal is stopped', () => pauses() === 2);
    expect(page.clock()).toMatchObject({ paused: true, positionMs: target });
    const before = page.video().length;
    page.say({ type: 'resume' });
    await page.pictures(20);
    const times = page.video().slice(before - 1);
    expect(times.every(({ deviceTimeMs }, index) => deviceTimeMs === target + index * 40)).toBe(true);
  });

  it('is told fewer places than the page drags over, and shows the last', async ({ start }) => {
    const scene = await start({ card: { answerAfterMs: 200 } });
    await scene.play({ durationMs: 10 * MINUTE_MS });
    const page = scene.watch();
    await page.pictures(5);
    page.say({ type: 'pause' });
    for (let second = 60; second <= 300; second += 2) page.say({ type: 'seek', positionMs: HOUR + second * 1_000 });
    await waitFor('the picture', () => page.position === HOUR + 300_000);
    expect(scene.told.filter((each) => each.startsWith('control 5')).length).toBe(2);
  });

  it('is over when a pause takes too long, so that the device is free', async ({ start }) => {
    const scene = await start({ haste: 100 });
    await scene.play({ durationMs: 10 * MINUTE_MS });
    const page = scene.watch();
    await page.pictures(5);
    page.say({ type: 'pause' });
    await within(10_000, () => waitFor('the end', () => page.ends.length));
    expect(page.ends).toMatchObject([{ kind: 'failed', code: 'paused-too-long' }]);
    expect(scene.playback.isBusy('BUS1')).toBe(false);
    await waitFor('the terminal is told', () => scene.told.includes('control 2 0'));
    expect(scene.watch().ends).toMatchObject([{ code: 'paused-too-long' }]);
    expect(await scene.play({ start: (HOUR + 3_000) as never })).toEqual({ ok: true });
  });

  it.for(['refused', 'disobeyed'] as const)(
    'is told the truth by a terminal whose speed is %s',
    async (control, { start }) => {
      const scene = await start({ card: { control } });
      await scene.play();
      const page = scene.watch();
      await page.pictures(5);
      page.say({ type: 'pause' });
      const paused = page.video().length;
      await waitFor('the clock', () => page.clock()?.paused === true);
      await waitFor('the answer', () => scene.told.includes('control 1 0'));
      expect(page.video().length).toBe(paused);
      page.say({ type: 'resume' });
      await page.pictures(5);
      page.say({ type: 'speed', speed: 4 });
      if (control === 'refused') await waitFor('the old speed', () => page.clock()?.speed === 1);
    },
  );

  it('of no sense changes nothing', async ({ start }) => {
    const scene = await start();
    await scene.play();
    const page = scene.watch();
    await page.pictures(5);
    for (const speed of [3, 0, -1, 32, Number.NaN]) page.say({ type: 'speed', speed });
    page.say({ type: 'step', frames: 1 });
    page.say({ type: 'resume' });
    await page.pictures(5);
    expect(scene.told.filter((each) => each.startsWith('control'))).toEqual([]);
    expect(page.clock()?.speed).toBe(1);
  });
});

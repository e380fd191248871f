// What a terminal does not play, and what becomes of a playback that breaks off, is left, or is wanted twice.
import { describe, expect } from 'vitest';
import { WAITING_BYTES_LIMIT } from '../../../../server/stream/remote/pacer.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { collectGarbage } from '../../../support/runner/collectGarbage.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { HOUR, MINUTE_MS, type RemoteScene } from './remoteScene.ts';
import { it } from './remoteTest.ts';

const stopped = (scene: RemoteScene) =>
  waitFor('the terminal is told to stop', () => scene.told.includes('control 2 0'));
const silent = (scene: RemoteScene) =>
  waitFor('the terminal sends nothing', () => scene.terminal.playbacks.length === 0);

/** Bytes of buffers that something refers to. */
function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

describe.concurrent('a terminal that does not play', () => {
  it.for([
    ['refuses', 'device-refused', { playback: 'refused' }],
    ['does not answer', 'device-no-answer', { playback: 'not-answered' }],
    ['says not even what it has', 'device-no-answer', { list: 'not-answered' }],
    ['says yes and does not dial', 'device-no-answer', { playback: 'not-dialled' }],
    ['has an empty card', 'nothing-recorded', { list: 'empty' }],
  ] as const)('because it %s has the code %s', async ([_, code, card], { start }) => {
    const scene = await start({ card, haste: 20 });
    expect(await scene.play()).toEqual({ ok: false, code });
    expect(scene.playback.isBusy('BUS1')).toBe(false);
    await silent(scene);
  });

  it('because it recorded nothing then has the code nothing-recorded, and is not asked to play', async ({ start }) => {
    const scene = await start();
    const gap = wallMs(HOUR + 35 * MINUTE_MS);
    expect(await scene.play({ start: gap, durationMs: 5 * MINUTE_MS })).toEqual({
      ok: false,
      code: 'nothing-recorded',
    });
    expect(scene.told).toEqual(['queryResources']);
  });

  it('because it is away has the code device-offline', async ({ start }) => {
    const scene = await start();
    scene.terminal.stop();
    await waitFor('it is gone', () => scene.gateway.registry.session('BUS1') === undefined);
    expect(await scene.play()).toEqual({ ok: false, code: 'device-offline' });
  });

  it('because it goes while it is asked has the code device-offline', async ({ start }) => {
    const scene = await start({ card: { playback: 'not-answered' } });
    const answer = scene.play();
    await waitFor('it is asked', () => scene.told.includes('playbackRequest'));
    scene.terminal.stop();
    expect(await answer).toEqual({ ok: false, code: 'device-offline' });
  });
});

describe.concurrent('a playback that goes wrong', () => {
  it.for([
    ['closes the connection', { breaksOffAfterMs: 800 }],
    ['falls silent', { fallsSilentAfterMs: 800 }],
  ] as const)('because the terminal %s shows what came, then says so', async ([_, card], { start }) => {
    const scene = await start({ card, haste: 10 });
    await scene.play();
    const page = scene.watch();
    await waitFor('the end', () => page.ends.length);
    expect(page.ends[0]).toMatchObject({ kind: 'failed', code: 'playback-broken-off' });
    expect(page.position - HOUR).toBeGreaterThan(500);
    expect(scene.watch().ends).toEqual(page.ends);
    expect(await scene.play()).toEqual({ ok: true });
  });

  it('because the terminal is gone says that', async ({ start }) => {
    const scene = await start();
    await scene.play();
    const page = scene.watch();
    await page.pictures(5);
    scene.terminal.stop();
    await waitFor('the end', () => page.ends.length);
    expect(page.ends[0]).toMatchObject({ kind: 'failed' });
    expect(scene.playback.isBusy('BUS1')).toBe(false);
  });

  it('does not end by itself while it is paused', async ({ start }) => {
    const scene = await start({ haste: 20 });
    await scene.play();
    const page = scene.watch();
    await page.pictures(5);
    page.say({ type: 'pause' });
    const pausedMs = Date.now();
    // Silence that would end it counts half a second here.
    await waitFor('a long pause', () => Date.now() - pausedMs > 1_500);
    expect(page.ends).toEqual([]);
    page.say({ type: 'resume' });
    await page.pictures(5);
  });
});

describe.concurrent('a page', () => {
  it('that has left ends the playback on the terminal a little later', async ({ start }) => {
    const scene = await start({ haste: 10 });
    await scene.play();
    const page = scene.watch();
    await page.pictures(5);
    page.leave();
    expect(scene.playback.isBusy('BUS1')).toBe(true);
    await stopped(scene);
    await silent(scene);
    expect(scene.playback.isBusy('BUS1')).toBe(false);
    expect(scene.watch().ends[0]).toMatchObject({ code: 'not-playing' });
  });

  it('that is back in time goes on where it was, beginning with a key frame', async ({ start }) => {
    const scene = await start();
    await scene.play();
    const page = scene.watch();
    await page.pictures(20);
    page.leave();
    const again = scene.watch();
    await again.pictures(60);
    expect(again.video()[0]?.key).toBe(true);
    const times = again.video().map(({ deviceTimeMs }) => deviceTimeMs);
    expect(times.every((time, index) => index === 0 || time - (times[index - 1] ?? 0) === 40)).toBe(true);
    expect(times[0]).toBeLessThanOrEqual(page.position);
    expect(again.packets.some(({ kind }) => kind === 3)).toBe(true);
    expect(scene.told).toEqual(['queryResources', 'playbackRequest']);
  });

  it('that never opens its stream does not hold the terminal for long', async ({ start }) => {
    const scene = await start({ haste: 30 });
    await scene.play();
    await stopped(scene);
    expect(scene.playback.isBusy('BUS1')).toBe(false);
  });

  it('whose access ended ends the playback at once', async ({ start }) => {
    const scene = await start();
    await scene.play();
    scene.watch();
    scene.playback.end({ credential: 'annas link', deviceId: 'BUS1', streamId: 4711 });
    await stopped(scene);
    expect(scene.playback.isBusy('BUS1')).toBe(false);
  });

  it('of another link, stream or channel finds nothing', async ({ start }) => {
    const scene = await start();
    await scene.play();
    for (const other of [{ credential: 'another link' }, { streamId: 4712 }, { channel: 2 }])
      expect(scene.watch(other).ends[0]).toMatchObject({ code: 'not-playing' });
  });

  // Its memory is the process's, so it runs by itself.
  it.sequential('that takes nothing makes the terminal wait, and misses nothing', async ({ start }) => {
    const scene = await start({ card: { isUnpaced: true } });
    await scene.play({ durationMs: 20 * MINUTE_MS });
    const page = scene.watch();
    page.isBlocked = true;
    const shown = page.video().length;
    const before = heldBytes();
    const sinceMs = Date.now();
    await waitFor('two seconds of blockage', () => Date.now() - sinceMs > 2_000);
    expect(page.video().length).toBe(shown);
    // What the terminal could have sent meanwhile is dozens of megabytes: a minute of the clip is 1.4.
    expect(heldBytes() - before).toBeLessThan(WAITING_BYTES_LIMIT.max + 8 * 1024 * 1024);
    page.isBlocked = false;
    await page.pictures(50);
    const times = page.video().map(({ deviceTimeMs }) => deviceTimeMs - HOUR);
    expect(times.every((time, index) => time === index * 40)).toBe(true);
  });
});

describe.concurrent('a terminal that somebody plays', () => {
  it('is busy for every other link, whatever channel it asks for, and plays on', async ({ start }) => {
    const scene = await start();
    await scene.play();
    const page = scene.watch();
    await page.pictures(5);
    const another = { credential: 'another link', channel: 2 };
    for (const streamId of [2, 4711])
      expect(await scene.play({ ...another, streamId })).toEqual({ ok: false, code: 'busy' });
    expect(scene.watch({ ...another, streamId: 4711 }).ends[0]).toMatchObject({ code: 'not-playing' });
    scene.playback.end({ ...another, deviceId: 'BUS1', streamId: 4711 });
    await page.pictures(10);
    expect(page.ends).toEqual([]);
    expect(scene.terminal.playbacks).toEqual([1]);
  });

  it('is busy for another sign-in of the same user', async ({ start }) => {
    const scene = await start();
    await scene.play({ session: 'one browser' });
    const other = { credential: 'another link', session: 'another browser' };
    expect(await scene.play({ ...other, streamId: 2 })).toEqual({ ok: false, code: 'busy' });
  });

  it('follows a sign-in to another page of its own, opened for other uses', async ({ start }) => {
    const scene = await start();
    await scene.play({ session: 'one browser' });
    const page = scene.watch();
    await page.pictures(5);
    const next = { credential: 'another of it', session: 'one browser', streamId: 2, channel: 2 };
    expect(await scene.play(next)).toEqual({ ok: true });
    expect(page.ends[0]).toMatchObject({ code: 'taken-over' });
    await scene.watch(next).pictures(5);
  });

  it('follows a link to another page, and the page before is told', async ({ start }) => {
    const scene = await start();
    await scene.play();
    const page = scene.watch();
    await page.pictures(5);
    expect(await scene.play({ streamId: 2, channel: 2 })).toEqual({ ok: true });
    expect(page.ends[0]).toMatchObject({ code: 'taken-over' });
    const other = scene.watch({ streamId: 2, channel: 2 });
    await other.pictures(5);
    expect(scene.terminal.playbacks).toEqual([2]);
    expect(scene.watch().ends[0]).toMatchObject({ code: 'taken-over' });
  });

  it('follows them also while it is still being asked', async ({ start }) => {
    const scene = await start({ card: { answerAfterMs: 300 } });
    const first = scene.play();
    await waitFor('it is asked', () => scene.told.includes('queryResources'));
    const second = scene.play({ streamId: 2 });
    expect((await first).ok).toBe(false);
    expect(await second).toEqual({ ok: true });
    await scene.watch({ streamId: 2 }).pictures(5);
  });
});

describe.concurrent('what a terminal holds', () => {
  const requests = { deviceId: 'BUS1', channel: 1, from: HOUR, to: wallMs(HOUR + 60 * MINUTE_MS) };

  it('is listed in order, gaps left out', async ({ start }) => {
    const scene = await start({ card: { list: 'newest-first' } });
    const result = await scene.gateway.recordings.list(requests);
    if (!result.ok) throw new Error(result.code);
    const { recordings, isFresh } = result.value;
    expect(isFresh).toBe(true);
    expect(recordings.map(({ startMs, endMs }) => [(startMs - HOUR) / MINUTE_MS, (endMs - HOUR) / MINUTE_MS])).toEqual(
      [0, 5, 10, 15, 20, 25, 30, 40, 45, 50, 55].map((minute) => [minute, minute + 5]),
    );
    expect(recordings[0]).toMatchObject({ stream: 'main', storage: 'main', media: 'audio-video', alarms: 0 });
    expect(recordings[0]?.bytes).toBeGreaterThan(1_000_000);
  });

  it('may be a list of hundreds, in packages of which some are lost on the way', async ({ start }) => {
    const scene = await start({ profile: { card: { hours: 60, fileMinutes: 5 } }, quirks: { losesPackages: true } });
    const from = wallMs(HOUR - 48 * 60 * MINUTE_MS);
    const result = await scene.gateway.recordings.list({ ...requests, from });
    if (!result.ok) throw new Error(result.code);
    expect(result.value.recordings.length).toBe(49 * 11);
  });

  it('is asked once for two who want to know at a time, and is remembered while the terminal is away', async ({
    start,
  }) => {
    const scene = await start();
    const { recordings } = scene.gateway;
    const [one, two] = await Promise.all([recordings.list(requests), recordings.list(requests)]);
    expect(one).toBe(two);
    expect(scene.told).toEqual(['queryResources']);
    scene.terminal.stop();
    await waitFor('it is gone', () => scene.gateway.registry.session('BUS1') === undefined);
    const away = await recordings.list(requests);
    if (!one.ok || !away.ok) throw new Error('nothing is listed');
    expect(away.value).toEqual({ ...one.value, isFresh: false });
    expect(await recordings.list({ ...requests, channel: 2 })).toEqual({ ok: false, code: 'device-offline' });
  });

  it.for([
    ['refused', 'device-refused'],
    ['not-answered', 'device-no-answer'],
  ] as const)('of a terminal to which the question is %s has the code %s', async ([list, code], { start }) => {
    const scene = await start({ card: { list }, haste: 20 });
    expect(await scene.gateway.recordings.list(requests)).toEqual({ ok: false, code });
  });
});

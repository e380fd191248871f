import { statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CLIPS } from '../../../simulator/clip/clipList.ts';
import { loadDemoClips, showingOrder } from '../../../simulator/clip/loadClip.ts';
import { clipNameOf, DEMO_VEHICLES } from '../../../simulator/demoFleet.ts';
import { fleetProfile, parseFleetOptions } from '../../../simulator/fleetOptions.ts';
import { waitBeforeMs } from '../../../simulator/retransmission.ts';

describe('the clips', () => {
  it('are what their recipes say, and together at most 6 MB', async () => {
    const clips = await loadDemoClips();
    const facts = Object.entries(clips).map(([name, { codec, keyFrameInterval, reorderFrames }]) => [
      name,
      `${codec} ${keyFrameInterval} ${reorderFrames}`,
    ]);
    expect(Object.fromEntries(facts)).toEqual({
      road: 'H264 50 0',
      rear: 'H264 250 0',
      cabin: 'H264 50 2',
      side: 'H265 50 0',
      roadSub: 'H264 50 0',
      rearSub: 'H264 50 0',
      cabinSub: 'H264 50 0',
      sideSub: 'H264 50 0',
    });
    const files = Object.values(CLIPS).map(({ file }) => new URL(`../../../simulator/clips/${file}`, import.meta.url));
    expect(files.reduce((total, file) => total + statSync(file).size, 0)).toBeLessThan(6_000_000);
  });

  it('show every position once, B pictures before what they refer to', async () => {
    const { cabin } = await loadDemoClips();
    expect([...cabin.frames.map(({ shownAt }) => shownAt)].sort((a, b) => a - b)).toEqual(
      cabin.frames.map((_, at) => at),
    );
    expect(showingOrder([false, false, true, true, false])).toEqual([0, 3, 1, 2, 4]);
  });
});

describe('the demo fleet', () => {
  it('has vehicles with 1, 4, 6 and 8 channels, each with numbers of its own', () => {
    expect(DEMO_VEHICLES.map(({ channels }) => channels)).toEqual([1, 4, 6, 8]);
    expect(new Set(DEMO_VEHICLES.flatMap(({ deviceId, number }) => [deviceId, number])).size).toBe(8);
    expect(new Set(DEMO_VEHICLES.map(({ edition }) => edition))).toEqual(new Set(['2013', '2019']));
  });

  it('gives H.265 to the eighth channel alone, and that in its large picture', () => {
    expect(clipNameOf(8, 'sub')).toBe('sideSub');
    expect(clipNameOf(5, 'sub')).toBe('rearSub');
    expect(Array.from({ length: 8 }, (_, index) => clipNameOf(index + 1, 'main'))).toEqual([
      'road',
      'rear',
      'cabin',
      'road',
      'rear',
      'cabin',
      'road',
      'side',
    ]);
  });
});

describe('parseFleetOptions', () => {
  const raw = { devices: '1000', first: '14000000000', interval: '10', media: false };

  it('takes what `npm run fleet` is given', () => {
    expect(parseFleetOptions({ ...raw, gateway: 'host:7808' })).toEqual({
      ok: true,
      options: {
        devices: 1_000,
        gateway: { host: 'host', port: 7_808 },
        first: 14_000_000_000,
        positionSeconds: 10,
        media: false,
      },
    });
  });

  it.each([
    [{ devices: '0' }, '--devices'],
    [{ devices: '1e3' }, '--devices'],
    [{ gateway: 'host' }, '--gateway'],
    [{ gateway: 'host:99999' }, '--gateway'],
    [{ first: 'abc' }, '--first'],
    [{ interval: '0' }, '--interval'],
  ])('refuses %j by name', (change, name) => {
    const result = parseFleetOptions({ ...raw, ...change });
    expect(result.ok ? '' : result.reason).toContain(name);
  });

  it('makes vehicles that share nothing', () => {
    const result = parseFleetOptions(raw);
    if (!result.ok) throw new Error(result.reason);
    const profiles = Array.from({ length: 1_000 }, (_, index) => fleetProfile(index, result.options));
    expect(new Set(profiles.map(({ number }) => number)).size).toBe(1_000);
    expect(new Set(profiles.map(({ deviceId }) => deviceId)).size).toBe(1_000);
  });
});

describe('waitBeforeMs', () => {
  it('grows as the standard says', () => {
    expect([1, 2, 3, 4].map(waitBeforeMs)).toEqual([10_000, 20_000, 60_000, 240_000]);
  });
});

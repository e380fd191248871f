import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mercatorY } from '../../../../../server/tracks/line/mercator.ts';
import { readLine } from '../../../../../server/tracks/line/readLine.ts';
import { type ClockStep, DeviceClock } from '../../../../../shared/protocol/tracks/deviceClock.ts';
import { type HeldPosition, heldTrack } from '../heldTrack.ts';

const turns = { yieldIfDue: () => undefined, gone: new AbortController().signal };

function lineOf(
  positions: readonly HeldPosition[],
  options: { readonly tolerance?: number; readonly most?: number; readonly clock?: readonly ClockStep[] } = {},
) {
  const { tolerance = 1e-9, most = 20_000, clock = [] } = options;
  const query = { incarnation: 1, clock: new DeviceClock(clock), fromMs: 0, toMs: 1e9 };
  return readLine(heldTrack(positions, 700), { query, options: { tolerance, most } }, turns);
}

const at = (deviceTimeMs: number, latitude: number, longitude: number, speedKmh = 30): HeldPosition => ({
  ...{ deviceTimeMs, latitude, longitude, speedKmh },
  headingDeg: 90,
});

describe('the line of a track', () => {
  it('leaves out what lies on it', async () => {
    const line = await lineOf([at(0, 0, 1), at(1_000, 0, 2), at(2_000, 0, 3), at(3_000, 1, 3)]);
    expect(line).toMatchObject({ lng: [1, 3, 3], lat: [0, 0, 1], atMs: [0, 2_000, 3_000], gaps: [], positions: 4 });
    expect(line.headingDeg).toEqual([90, 90, 90]);
  });

  it('has every point where no tolerance is given: who goes from one to the next wants those too that stand', async () => {
    const stood = [at(0, 0, 1, 0), at(1_000, 0, 1, 0), at(2_000, 0, 1, 0), at(3_000, 0, 2), at(4_000, 0, 3)];
    expect((await lineOf(stood, { tolerance: 0 })).atMs).toEqual([0, 1_000, 2_000, 3_000, 4_000]);
    const long = Array.from({ length: 5_000 }, (_, second) => at(second * 1_000, 0, 1, 0));
    expect((await lineOf(long, { tolerance: 0 })).atMs).toHaveLength(5_000);
    expect(await lineOf(long, { tolerance: 0, most: 1_000 })).toMatchObject({ positions: 5_000, isCoarse: false });
  });

  it('has none but what is known of where it was: no zeros, nothing without a fix, nothing twice', async () => {
    const good = at(5_000, 10, 10);
    const wrong = [at(1_000, 0, 0), { ...at(2_000, 9, 9), statusBits: 1 }, at(3_000, 95, 10), at(4_000, 10, 181)];
    const line = await lineOf([...wrong, good, good, good, at(6_000, 11, 10)]);
    expect(line).toMatchObject({ lat: [10, 11], positions: 8, gaps: [] });
  });

  it('marks what comes after five silent minutes, or after a lost fix, and joins nothing across', async () => {
    const lost = { ...at(2_000, 1, 1), statusBits: 0 };
    const [before, after] = [at(0, 1, 1), at(4_000, 1, 3)];
    expect(await lineOf([before, at(1_000, 1, 2), lost, after])).toMatchObject({ lng: [1, 2, 3], gaps: [2] });
    const silent = [before, at(1_000, 1, 2), at(301_001, 1, 3), at(302_000, 1, 4)];
    expect(await lineOf(silent)).toMatchObject({ lng: [1, 2, 3, 4], gaps: [2] });
    expect(await lineOf([before, at(1_000, 1, 2), at(301_000, 1, 3)])).toMatchObject({ lng: [1, 2, 3], gaps: [] });
  });

  it('crosses the antimeridian by the short way', async () => {
    const line = await lineOf([at(0, 0, 178), at(1_000, 0, 179), at(2_000, 0, -180), at(3_000, 0, -179)]);
    expect(line.lng).toEqual([178, -179]);
  });

  it('is at no moment further from the position than a pixel, over many parts', async () => {
    const step = fc.record({ x: fc.integer({ min: -50, max: 50 }), y: fc.integer({ min: -50, max: 50 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3_000, maxLength: 5_000, size: 'max' }), async (steps) => {
        let [latitude, longitude] = [52, 13];
        const positions = steps.map(({ x, y }, index) => {
          latitude += y / 1e6;
          longitude += x / 1e6;
          return at(index * 1_000, latitude, longitude, Math.abs(x));
        });
        const tolerance = 1e-4;
        const line = await lineOf(positions, { tolerance });
        expect(line.isCoarse).toBe(false);
        expect(line.atMs.length).toBeLessThan(positions.length);
        expect(furthestOff(positions, line)).toBeLessThanOrEqual(tolerance * (1 + 1e-9));
        const fastest = Math.max(...positions.map(({ speedKmh = 0 }) => speedKmh));
        expect(Math.max(...line.speedKmh.map((speed) => speed ?? 0))).toBe(fastest);
        expect([line.atMs[0], line.atMs.at(-1)]).toEqual([0, (positions.length - 1) * 1_000]);
      }),
      { numRuns: 5 },
    );
  });

  it('has no more points than are asked for, says so, and keeps both ends and the order', async () => {
    const random = fc.sample(fc.double({ min: -80, max: 80, noNaN: true }), { numRuns: 12_000, seed: 7 });
    const positions = random.map((latitude, index) => at(index * 1_000, latitude, (index % 300) / 2 + 1));
    for (const most of [2, 3, 50, 1_000]) {
      const line = await lineOf(positions, { most });
      expect(line.isCoarse).toBe(true);
      expect(line.atMs.length).toBeLessThanOrEqual(most);
      expect(line.atMs).toEqual(line.atMs.toSorted((left, right) => left - right));
      expect([line.atMs[0], line.atMs.at(-1)]).toEqual([0, 11_999_000]);
    }
  });

  it('keeps its shape within a pixel where there are too many points for every moment of it', async () => {
    // Stop and go on a straight street, of which the shape needs the ends, the fastest and the slowest point.
    const positions = Array.from({ length: 1_000 }, (_, index) =>
      at(index * 1_000, 10, 10 + Math.floor(index / 20) / 10),
    );
    const timed = await lineOf(positions, { tolerance: 1e-3 });
    expect([timed.isCoarse, timed.atMs.length]).toEqual([false, 100]);
    const shaped = await lineOf(positions, { tolerance: 1e-3, most: 50 });
    expect([shaped.isCoarse, shaped.atMs]).toEqual([false, [0, 999_000]]);
  });

  it('is bounded where a fix is lost and found all the time', async () => {
    const positions = Array.from({ length: 9_000 }, (_, index) => {
      const position = at(index * 1_000, 10, 10 + (index % 7));
      return index % 2 === 0 ? position : { ...position, statusBits: 0 };
    });
    const line = await lineOf(positions, { most: 100 });
    expect(line.atMs.length).toBeLessThanOrEqual(100);
    expect(line.gaps).toHaveLength(line.atMs.length - 1);
  });

  it('is in the order of the gateway, whatever the clock of the device was set to', async () => {
    const clock = [
      { deviceFromMs: 0, offsetMs: 0 },
      // The clock is set ahead, by less than it had run meanwhile: some moments of the gateway are in both stretches.
      { deviceFromMs: 50_000, offsetMs: -20_000 },
    ];
    const positions = [at(10_000, 1, 1), at(40_000, 1, 4), at(50_000, 2, 3), at(70_000, 5, 5)];
    const line = await lineOf(positions, { clock });
    expect(line.atMs).toEqual([10_000, 30_000, 40_000, 50_000]);
    expect(line.lng).toEqual([1, 3, 4, 5]);
    expect(line.clock).toEqual([
      { fromMs: 0, offsetMs: 0 },
      { fromMs: 30_000, offsetMs: -20_000 },
    ]);
  });

  it('is given up when nobody waits for it', async () => {
    const query = { incarnation: 1, clock: new DeviceClock([]), fromMs: 0, toMs: 1e9 };
    const asked = { query, options: { tolerance: 0, most: 10 } };
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(readLine(heldTrack([at(0, 1, 1)]), asked, { ...turns, gone })).rejects.toThrow('gone');
  });
});

/** Greatest distance of the positions from where the line is at their moments. */
function furthestOff(positions: readonly HeldPosition[], line: Awaited<ReturnType<typeof lineOf>>): number {
  let most = 0;
  let segment = 0;
  for (const { deviceTimeMs, latitude = 0, longitude = 0 } of positions) {
    while (segment < line.atMs.length - 2 && (line.atMs[segment + 1] as number) < deviceTimeMs) segment++;
    const end = (index: number) => ({ x: line.lng[index] as number, y: mercatorY(line.lat[index] as number) });
    const [from, to] = [end(segment), end(segment + 1)];
    const [fromMs, toMs] = [line.atMs[segment] as number, line.atMs[segment + 1] as number];
    const share = (deviceTimeMs - fromMs) / (toMs - fromMs);
    const [offX, offY] = [longitude - from.x, mercatorY(latitude) - from.y];
    most = Math.max(most, Math.hypot(offX - share * (to.x - from.x), offY - share * (to.y - from.y)));
  }
  return most;
}

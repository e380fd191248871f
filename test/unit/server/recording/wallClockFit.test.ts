import { describe, expect, it } from 'vitest';
import { type PictureArrival, WallClockFit } from '../../../../server/recording/wallClockFit.ts';

const T0 = 1_795_000_000_000;
const PICTURE_MS = 40;
const GROUP = 25;

/** Pictures from one number to another, each `lateMs` after it was due, on a media clock that began at 7 s. */
function pictures(from: number, to: number, lateMs: (number: number) => number = () => 0): PictureArrival[] {
  return Array.from({ length: to - from }, (_, at) => {
    const number = from + at;
    const mediaTimeMs = 7_000 + number * PICTURE_MS;
    return {
      mediaTimeMs,
      arrivalMs: T0 + number * PICTURE_MS + lateMs(number),
      isKey: number % GROUP === 0,
      discontinuity: false,
    };
  });
}

const dueOf = (number: number): number => T0 + number * PICTURE_MS;

describe('where media time lies on the gateway’s clock', () => {
  it('is where it arrives, when all comes on time', () => {
    const fit = new WallClockFit();
    expect(fit.place(pictures(0, 60))).toEqual([dueOf(0), dueOf(25), dueOf(50)]);
    expect(fit.place(pictures(60, 110))).toEqual([dueOf(75), dueOf(100)]);
  });

  it('is not moved by jitter', () => {
    const fit = new WallClockFit();
    const jitter = (number: number): number => (number % 7 === 3 ? 0 : (number * 53) % 180);
    const placed = [0, 1, 2, 3].flatMap((part) => fit.place(pictures(part * 50, part * 50 + 50, jitter)));
    placed.forEach((wallMs, at) => {
      expect(Math.abs(wallMs - dueOf(at * GROUP))).toBeLessThan(3);
    });
  });

  it('of a cached group that came in one burst is where its last picture says', () => {
    const burst = pictures(0, 24, (number) => (23 - number) * PICTURE_MS);
    expect(new WallClockFit().place(burst)).toEqual([dueOf(0)]);
  });

  it('follows a terminal’s clock that runs slow', () => {
    const fit = new WallClockFit();
    // 200 millionths: 12 ms a minute.
    const slow = (number: number): number => number * PICTURE_MS * 0.000_2;
    let last = 0;
    for (let from = 0; from < 25 * 600; from += 25) last = fit.place(pictures(from, from + 25, slow))[0] ?? 0;
    const number = 25 * 599;
    expect(Math.abs(last - dueOf(number) - slow(number))).toBeLessThan(2);
  });

  it('stays through a stall that is made up for', () => {
    const fit = new WallClockFit();
    fit.place(pictures(0, 50));
    const stall = (number: number): number => Math.max(0, 6_000 - (number - 50) * 200);
    const placed = fit.place(pictures(50, 75, stall));
    expect(Math.abs((placed[0] ?? 0) - dueOf(50))).toBeLessThan(10);
  });

  it.each([
    ['forward', 3_600_000],
    ['back', -3_600_000],
  ])('moves with a gateway’s clock that was set %s, at the latest a group later', (_way, setMs) => {
    const fit = new WallClockFit();
    fit.place(pictures(0, 50));
    const placed = fit.place(pictures(50, 125, () => setMs));
    expect(placed.at(-1)).toBeCloseTo(dueOf(100) + setMs, -1);
  });

  it('begins anew where a new connection counts from another zero', () => {
    const fit = new WallClockFit();
    fit.place(pictures(0, 50));
    const again = pictures(75, 100).map((picture, at) => ({
      ...picture,
      mediaTimeMs: at * PICTURE_MS,
      discontinuity: at === 0,
    }));
    expect(fit.place(again)).toEqual([dueOf(75)]);
    // In one batch with what came before it.
    const fresh = new WallClockFit();
    expect(fresh.place([...pictures(0, 50), ...again])).toEqual([dueOf(0), dueOf(25), dueOf(75)]);
  });

  it('keeps its bearings over a loss in the same stream', () => {
    const fit = new WallClockFit();
    fit.place(pictures(0, 50));
    const late = pictures(75, 80, () => 300).map((picture) => ({ ...picture, discontinuity: picture.isKey }));
    expect(Math.abs((fit.place(late)[0] ?? 0) - dueOf(75))).toBeLessThan(3);
  });
});

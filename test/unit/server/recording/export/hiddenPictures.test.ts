import { describe, expect, it } from 'vitest';
import { HiddenPictures } from '../../../../../server/recording/export/hiddenPictures.ts';

const named = (name: number) => ({ bytes: Uint8Array.of(name), isKey: name === 0 });

describe('HiddenPictures', () => {
  it('holds pictures until one is right, and places them before it in their order', () => {
    const hidden = new HiddenPictures();
    expect([hidden.spanUs, hidden.first]).toEqual([0, undefined]);
    for (const name of [0, 1, 2]) hidden.hold(named(name));
    expect(hidden.first).toEqual(named(0));
    const { spanUs } = hidden;
    const placed = hidden.release(1_000);
    expect(placed.map(({ bytes }) => bytes[0])).toEqual([0, 1, 2]);
    const times = placed.map(({ timeUs }) => timeUs);
    expect(times).toEqual([...new Set(times)].sort((left, right) => left - right));
    expect(Math.min(...times)).toBeGreaterThan(1_000 - spanUs);
    expect([hidden.spanUs, hidden.release(2_000)]).toEqual([0, []]);
  });

  it('places those that come behind it between the two', () => {
    const hidden = new HiddenPictures();
    hidden.hold(named(0));
    const [first] = hidden.release(1_000);
    const behind = Array.from({ length: 17 }, (_, at) => hidden.placedBehind(named(at + 1)));
    const times = [first?.timeUs, ...behind.map((each) => each?.timeUs), 1_000];
    expect(times[17]).toBeUndefined();
    const known = times.flatMap((time) => time ?? []);
    expect(known).toEqual([...new Set(known)].sort((left, right) => left - right));
  });

  it('places nothing behind where none is right yet', () => {
    const hidden = new HiddenPictures();
    expect(hidden.placedBehind(named(1))).toBeUndefined();
    hidden.hold(named(0));
    hidden.release(0);
    hidden.hold(named(2));
    expect(hidden.placedBehind(named(3))).toBeUndefined();
  });

  it('is full at some time', () => {
    const hidden = new HiddenPictures();
    hidden.hold({ bytes: new Uint8Array(31 * 1024 * 1024), isKey: true });
    expect(hidden.isFull).toBe(false);
    hidden.hold({ bytes: new Uint8Array(1024 * 1024), isKey: false });
    expect(hidden.isFull).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { mediaUs } from '../../../../../shared/protocol/time.ts';
import { PictureOrder, type PlacedUnit } from '../../../../../workers/video/decode/pictureOrder.ts';
import { closedGroups, flat, ORDERS, openGroups, pyramid, type SentPicture } from './pictureOrders.ts';

const FRAME_US = 40_000;
const HOUR_US = 3_600_000_000;

function place(order: PictureOrder, sent: readonly SentPicture[], { byUs = 0, jumps = false } = {}): PlacedUnit[] {
  return sent.map(({ number, key }, index) =>
    order.place({ mediaTimeUs: mediaUs(number * FRAME_US + byUs), key, jumps: jumps && index === 0 }),
  );
}

const turns = (placed: readonly PlacedUnit[]) => placed.map(({ turnUs }) => turnUs / FRAME_US);
const steps = (values: readonly number[]) => values.slice(1).map((value, index) => value - (values[index] ?? 0));

describe('PictureOrder', () => {
  it.each(ORDERS)('%s: each unit brings the turn of the next picture that is shown', (_name, pattern, depth) => {
    const order = new PictureOrder();
    const placed = place(order, closedGroups(pattern, 4));
    expect(order.depth).toBe(depth);
    expect(new Set(steps(turns(placed).slice(2 * pattern.length)))).toEqual(new Set([1]));
    // Learnt by the first pictures that are shown before one that was sent before them, and never again.
    expect(placed.slice(1 + pattern.length).some(({ isNew }) => isNew)).toBe(false);
  });

  it.each(ORDERS)(
    '%s: also with groups whose first pictures are shown before the key frame',
    (_name, pattern, depth) => {
      const order = new PictureOrder();
      const placed = place(order, openGroups(pattern, 4));
      expect(order.depth).toBe(depth);
      expect(new Set(steps(turns(placed).slice(2 * pattern.length)))).toEqual(new Set([1]));
    },
  );

  it('leaves the times of a stream without B pictures as they are, whatever the sets allow', () => {
    const stamps = Array.from({ length: 500 }, (_, index) => mediaUs(index * FRAME_US + ((index * 7_919) % 30_000)));
    for (const mayReorder of [true, false]) {
      const order = new PictureOrder();
      order.announce(mayReorder);
      const placed = stamps.map((mediaTimeUs, index) =>
        order.place({ mediaTimeUs, key: index % 50 === 0, jumps: false }),
      );
      const asTheyAre = stamps.map((us) => ({ timeUs: us, turnUs: us, sureUs: us, isNew: false }));
      const known = mayReorder ? 3 : 0;
      expect(placed.slice(known)).toEqual(asTheyAre.slice(known));
      expect(placed.map(({ turnUs }) => turnUs)).toEqual(stamps);
    }
  });

  it('takes stamps that go back a little for uneven ones where the sets rule B pictures out', () => {
    const order = new PictureOrder();
    order.announce(false);
    const placed = [0, 40, 35, 80, 10].map((ms) =>
      order.place({ mediaTimeUs: mediaUs(ms * 1_000), key: false, jumps: false }),
    );
    expect(placed.map(({ turnUs }) => turnUs / 1_000)).toEqual([0, 40, 35, 80, 10]);
    expect([order.depth, placed.some(({ isNew }) => isNew)]).toEqual([0, false]);
  });

  it.each([HOUR_US, -HOUR_US, 6_000_000, -6_000_000])('goes on in one line when the clock is set by %d µs', (byUs) => {
    const order = new PictureOrder();
    const before = place(order, closedGroups([1], 2), { byUs: HOUR_US });
    const behind = place(
      order,
      [
        { number: 100, key: false },
        { number: 101, key: false },
      ],
      {
        byUs: HOUR_US + byUs,
        jumps: true,
      },
    );
    expect(behind.map(({ isNew }) => isNew)).toEqual([true, false]);
    const line = [...before, ...behind].map(({ timeUs }) => timeUs);
    expect(line).toEqual([...line].sort((left, right) => left - right));
    const times = [...before, ...behind].map(({ timeUs }) => order.mediaTimeOf(timeUs));
    expect(times.slice(-3)).toEqual([
      HOUR_US + 7 * FRAME_US,
      HOUR_US + byUs + 100 * FRAME_US,
      HOUR_US + byUs + 101 * FRAME_US,
    ]);
  });

  it.each([
    ['rule B pictures out', false, [1], 5],
    ['allow them', true, [1], 5],
    ['allow them, and they come', true, flat(2), 12],
  ])('sees a clock that was set back without a word where the sets %s', (_name, mayReorder, pattern, pictures) => {
    const order = new PictureOrder();
    order.announce(mayReorder);
    const sent = closedGroups(pattern, 3);
    place(order, sent);
    const { depth } = order;
    const next = { number: sent.length - pictures, key: true };
    expect(order.place({ mediaTimeUs: mediaUs(next.number * FRAME_US), key: true, jumps: false }).isNew).toBe(true);
    place(
      order,
      closedGroups(pattern, 3).map(({ number, key }) => ({ number: number + next.number + 1, key })),
    );
    expect(order.depth).toBe(depth);
  });

  it('places pictures that are shown before the first one behind a jump behind all from before it', () => {
    const order = new PictureOrder();
    const before = place(order, closedGroups(pyramid(3), 1));
    const behind = place(
      order,
      pyramid(3).map((number) => ({ number, key: false })),
      { byUs: -HOUR_US, jumps: true },
    );
    const latest = Math.max(...before.map(({ timeUs }) => timeUs));
    expect(Math.min(...behind.map(({ timeUs }) => timeUs))).toBeGreaterThan(latest);
  });

  it('believes a stream that reorders no more after three groups, and one that begins at once', () => {
    const order = new PictureOrder();
    place(order, closedGroups(flat(2), 2));
    const plain = (from: number, groups: number) =>
      closedGroups([1, 2, 3], groups).map(({ number, key }) => ({ number: from + number, key }));
    place(order, plain(1_000, 3));
    expect(order.depth).toBe(1);
    const placed = place(order, plain(2_000, 2));
    expect(order.depth).toBe(0);
    expect(placed.at(-1)?.turnUs).toBe(placed.at(-1)?.timeUs);
    place(order, closedGroups(flat(2), 1), { byUs: 3_000 * FRAME_US });
    expect(order.depth).toBe(1);
  });

  it('holds no more than it needs however often a clock jumps', () => {
    const order = new PictureOrder();
    for (let jump = 0; jump < 1_000; jump++) {
      const mediaTimeUs = mediaUs((jump % 2) * HOUR_US + jump * FRAME_US);
      const { timeUs } = order.place({ mediaTimeUs, key: false, jumps: true });
      expect(order.mediaTimeOf(timeUs)).toBe(mediaTimeUs);
    }
  });
});

import { describe, expect, it } from 'vitest';
import { readRecordedChannels } from '../../../../../../shared/api/recordings/recordings.ts';
import { type ChannelRanges, RangeStore } from '../../../../../../shared/player/playback/timeline/rangeStore.ts';
import type { TimeRange } from '../../../../../../shared/player/playback/timeline/ranges.ts';

const DAY = 86_400_000;

function setUp(channels: readonly ChannelRanges[]) {
  const requests: TimeRange[] = [];
  let nowMs = 100 * DAY;
  let isBroken = false;
  const store = new RangeStore({
    load: (window) => {
      requests.push(window);
      if (isBroken) return Promise.resolve({ ok: false, kind: 'network', message: 'away' } as const);
      const within = ({ fromMs, toMs }: TimeRange) => toMs > window.fromMs && fromMs < window.toMs;
      const value = channels.map((known) => ({ ...known, ranges: known.ranges.filter(within) }));
      return Promise.resolve({ ok: true, value } as const);
    },
    now: () => nowMs,
  });
  return { store, requests, pass: (ms: number) => (nowMs += ms), fail: (is: boolean) => (isBroken = is) };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('what is known of the recordings', () => {
  const far = { fromMs: 60 * DAY, toMs: 60 * DAY + 1_000 };
  const near = { fromMs: 50 * DAY, toMs: 50 * DAY + 1_000 };
  const channels = [{ channel: 1, ranges: [near, far] }];

  it('is asked for once around a view, and again when the view leaves it', async () => {
    const { store, requests } = setUp(channels);
    const view = { fromMs: 50 * DAY, toMs: 51 * DAY };
    store.show(view);
    store.show(view);
    await settle();
    store.show({ fromMs: 50.5 * DAY, toMs: 50.6 * DAY });
    expect(requests).toEqual([{ fromMs: 49 * DAY, toMs: 52 * DAY }]);
    expect(store.channels).toEqual([{ channel: 1, ranges: [near] }]);
    store.show({ fromMs: 55 * DAY, toMs: 56 * DAY });
    expect(requests).toHaveLength(2);
  });

  it('is asked for again while the present is in sight', async () => {
    const { store, requests, pass } = setUp(channels);
    const view = { fromMs: 99.5 * DAY, toMs: 100.5 * DAY };
    store.show(view);
    await settle();
    store.show(view);
    expect(requests).toHaveLength(1);
    pass(21_000);
    store.show(view);
    expect(requests).toHaveLength(2);
  });

  it('is asked for again of the past too, where devices’ cards are fetched, but less often', async () => {
    const { store, requests, pass } = setUp(channels);
    const view = { fromMs: 50 * DAY, toMs: 51 * DAY };
    store.show(view);
    await settle();
    pass(59_000);
    store.show(view);
    expect(requests).toHaveLength(1);
    pass(2_000);
    store.show(view);
    expect(requests).toHaveLength(2);
  });

  it('is asked for again after a failure, until which what was known stays known', async () => {
    const { store, requests, pass, fail } = setUp(channels);
    const [view, other] = [
      { fromMs: 50 * DAY, toMs: 51 * DAY },
      { fromMs: 60 * DAY, toMs: 61 * DAY },
    ];
    store.show(view);
    await settle();
    fail(true);
    store.show(other);
    await settle();
    store.show(other);
    expect(requests).toHaveLength(2);
    expect(store.channels).toEqual([{ channel: 1, ranges: [near] }]);
    fail(false);
    pass(11_000);
    store.show(other);
    await settle();
    expect(requests).toHaveLength(3);
    expect(store.channels).toEqual([{ channel: 1, ranges: [far] }]);
  });

  it('is one recording whatever its origin, and what was fetched stays known', async () => {
    const live = { fromMs: 50 * DAY, toMs: 50 * DAY + 60_000 };
    const later = { fromMs: live.toMs + 500, toMs: live.toMs + 60_000 };
    const { store } = setUp([
      { channel: 1, ranges: [live, later], fetched: [later] },
      { channel: 2, ranges: [live] },
    ]);
    store.show({ fromMs: 50 * DAY, toMs: 51 * DAY });
    await settle();
    expect(store.channels).toEqual([
      { channel: 1, ranges: [{ fromMs: live.fromMs, toMs: later.toMs }], fetched: [later] },
      { channel: 2, ranges: [live] },
    ]);
    expect(await store.next(live.fromMs)).toBeUndefined();
  });

  it('finds the next recording and the one before beyond what is shown', async () => {
    const { store } = setUp(channels);
    store.show({ fromMs: 50 * DAY, toMs: 51 * DAY });
    await settle();
    expect(await store.next(50.5 * DAY)).toBe(far.fromMs);
    expect(await store.next(61 * DAY)).toBeUndefined();
    expect(await store.previous(59 * DAY)).toBe(near.fromMs);
    expect(await store.hasAny([1], { fromMs: 51 * DAY, toMs: 52 * DAY })).toBe(false);
    expect(await store.hasAny([1], near)).toBe(true);
    expect(await store.hasAny([2], near)).toBe(false);
  });

  it('is read from whatever a server answers', () => {
    const data = { channels: [{ channel: 1, ranges: [{ fromMs: 1, toMs: 2 }, { fromMs: 3, toMs: 3 }, null] }, 7] };
    expect(readRecordedChannels(data)).toEqual([{ channel: 1, ranges: [{ fromMs: 1, toMs: 2 }] }]);
    expect(readRecordedChannels('no')).toEqual([]);
  });
});

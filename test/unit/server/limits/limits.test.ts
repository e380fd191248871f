import { describe, expect, it } from 'vitest';
import { KeyedCount } from '../../../../server/limits/keyedCount.ts';
import type { Limit } from '../../../../server/limits/limit.ts';
import { RecentMap } from '../../../../server/limits/recentMap.ts';
import { TokenBucket } from '../../../../server/limits/tokenBucket.ts';

describe('a count by key', () => {
  const limit: Limit = { name: 'test.sockets.address', max: 2 };

  it('gives each key its own places, and says when one has none left', () => {
    const reached: Limit[] = [];
    const count = new KeyedCount(limit, (each) => reached.push(each));
    const leave = count.enter('a');
    expect(count.enter('a')).toBeDefined();
    expect(count.enter('b')).toBeDefined();
    expect(reached).toEqual([]);
    expect(count.enter('a')).toBeUndefined();
    expect(reached).toEqual([limit]);
    leave?.();
    expect(count.enter('a')).toBeDefined();
  });

  it('takes a place back once, however often it is given back', () => {
    const count = new KeyedCount(limit, () => undefined);
    const leave = count.enter('a');
    count.enter('a');
    leave?.();
    leave?.();
    expect(count.count('a')).toBe(1);
  });
});

describe('a token bucket', () => {
  it('lets a burst through, then the rate', () => {
    const bucket = new TokenBucket({ burst: 3, perSecond: 2 }, 0);
    const taken = [0, 0, 0, 0, 499, 500, 501, 1_000].map((atMs) => bucket.take(atMs));
    expect(taken).toEqual([true, true, true, false, false, true, false, true]);
  });

  it('takes back what was not needed, up to its burst', () => {
    const bucket = new TokenBucket({ burst: 2, perSecond: 1 }, 0);
    bucket.take(0, 2);
    for (let turn = 0; turn < 3; turn++) bucket.giveBack();
    expect([bucket.take(0), bucket.take(0), bucket.take(0)]).toEqual([true, true, false]);
  });

  it('fills up to its burst and no further', () => {
    const bucket = new TokenBucket({ burst: 2, perSecond: 1 }, 0);
    expect([3_600_000, 3_600_000, 3_600_000].map((atMs) => bucket.take(atMs))).toEqual([true, true, false]);
  });

  it('takes several at once, or none of them', () => {
    const bucket = new TokenBucket({ burst: 10, perSecond: 1 }, 0);
    expect([6, 6, 4, 0].map((count) => bucket.take(0, count))).toEqual([true, false, true, true]);
  });

  it('gains nothing from a clock that is set back', () => {
    const bucket = new TokenBucket({ burst: 1, perSecond: 1 }, 10_000);
    expect([10_000, 5_000, 6_000].map((atMs) => bucket.take(atMs))).toEqual([true, false, true]);
  });
});

describe('a map of recent entries', () => {
  it('drops what was set longest ago', () => {
    const map = new RecentMap<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('a', 3);
    expect(map.set('c', 4)).toBe('b');
    expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([3, undefined, 4, 2]);
  });
});

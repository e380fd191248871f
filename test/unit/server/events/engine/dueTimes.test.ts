import { beforeEach, describe, expect, it } from 'vitest';
import { DueTimes } from '../../../../../server/events/engine/dueTimes.ts';

let due: DueTimes<string>;

beforeEach(() => {
  due = new DueTimes();
});

describe('DueTimes', () => {
  it('gives what is due, once, and not a moment too early', () => {
    due.schedule('a', 1_500);
    due.schedule('b', 2_000);
    due.schedule('c', 9_000);
    expect(due.takeDue(1_999)).toEqual([]);
    expect(due.takeDue(2_000)).toEqual(['a', 'b']);
    expect(due.takeDue(8_999)).toEqual([]);
    expect(due.takeDue(60_000)).toEqual(['c']);
    expect(due.size).toBe(0);
  });

  it('moves to an earlier time, and stays where it is for a later one', () => {
    due.schedule('a', 9_000);
    due.schedule('a', 3_000);
    due.schedule('a', 5_000);
    expect(due.takeDue(4_000)).toEqual(['a']);
    expect(due.takeDue(60_000)).toEqual([]);
  });

  it('is noted again after it was taken', () => {
    due.schedule('a', 1_000);
    due.takeDue(1_000);
    due.schedule('a', 7_000);
    expect(due.takeDue(7_000)).toEqual(['a']);
  });

  it('forgets, and never notes what has no time', () => {
    due.schedule('a', 1_000);
    due.schedule('b', Number.POSITIVE_INFINITY);
    due.forget('a');
    due.forget('z');
    expect(due.takeDue(1e15)).toEqual([]);
    expect(due.size).toBe(0);
  });
});

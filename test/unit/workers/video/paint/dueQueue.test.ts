import { describe, expect, it } from 'vitest';
import { DueQueue } from '../../../../../workers/video/paint/dueQueue.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';

function setUp(most?: number) {
  const timers = new ManualTimers();
  const given: { readonly id: number; readonly atMs: number }[] = [];
  const queue = new DueQueue<{ readonly id: number; readonly dueMs: number }>({
    ...timers,
    most,
    onDue: ({ id }) => given.push({ id, atMs: timers.now() }),
  });
  return { timers, given, queue, push: (id: number, dueMs: number) => queue.push({ id, dueMs }) };
}

describe('DueQueue', () => {
  it('lets pass at once what is due, without a timer', () => {
    const { given, push, timers } = setUp();
    push(1, 0);
    expect(given).toEqual([{ id: 1, atMs: 0 }]);
    expect(timers.pending).toBe(0);
  });

  it('gives each its turn, and keeps the order even for one that is due sooner', () => {
    const { given, push, timers } = setUp();
    push(1, 50);
    push(2, 30);
    push(3, 90);
    timers.advance(200);
    expect(given).toEqual([
      { id: 1, atMs: 50 },
      { id: 2, atMs: 50 },
      { id: 3, atMs: 90 },
    ]);
  });

  it('gives nothing of what was dropped', () => {
    const { given, push, queue, timers } = setUp();
    push(1, 50);
    expect(queue.clear()).toEqual([{ id: 1, dueMs: 50 }]);
    expect(queue.clear()).toEqual([]);
    timers.advance(200);
    expect(given).toEqual([]);
    expect(timers.pending).toBe(0);
  });

  it('that holds as many as it may gives the first before its turn', () => {
    const { given, push, timers } = setUp(2);
    push(1, 50);
    push(2, 90);
    push(3, 130);
    expect(given).toEqual([{ id: 1, atMs: 0 }]);
    timers.advance(200);
    expect(given.slice(1)).toEqual([
      { id: 2, atMs: 90 },
      { id: 3, atMs: 130 },
    ]);
  });
});

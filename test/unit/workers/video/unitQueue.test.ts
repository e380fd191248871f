import { describe, expect, it } from 'vitest';
import { mediaUs, wallMs } from '../../../../shared/protocol/time.ts';
import { UnitQueue } from '../../../../workers/video/unitQueue.ts';
import { ManualTimers } from '../../../support/manualTimers.ts';

function setUp() {
  const timers = new ManualTimers();
  const given: { readonly id: number; readonly atMs: number }[] = [];
  const queue = new UnitQueue({
    ...timers,
    now: timers.now,
    after: timers.after,
    onDue: ({ unit }) => given.push({ id: unit.mediaTimeUs, atMs: timers.now() }),
  });
  const push = (id: number, dueMs: number) => {
    const unit = { byteOffset: 0, byteLength: 0, codec: 1, key: false, discontinuity: false, unseen: false };
    const times = { mediaTimeUs: mediaUs(id), deviceTimeMs: wallMs(0) };
    queue.push({ unit: { ...unit, ...times }, bytes: new Uint8Array(), arrivedMs: timers.now(), dueMs });
  };
  return { timers, given, queue, push };
}

describe('UnitQueue', () => {
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
    queue.clear();
    timers.advance(200);
    expect(given).toEqual([]);
    expect(timers.pending).toBe(0);
  });
});

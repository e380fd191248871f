import { describe, expect, it } from 'vitest';
import { OpenEvents, type StatusChange } from '../../../../../../server/fleet/updates/events/openEvents.ts';
import type { OpenCount, OpenCounts } from '../../../../../../server/store/events/eventCounts.ts';
import { ManualTimers } from '../../../../../support/fakes/manualTimers.ts';

const NONE = { critical: 0, major: 0, minor: 0, info: 0 };
const GROUPS: Record<number, number> = { 11: 1, 12: 1, 21: 2 };

function start(groups = GROUPS) {
  const timers = new ManualTimers();
  const answers: ((counts: OpenCounts) => void)[] = [];
  const state = { changes: 0 };
  const open = new OpenEvents({
    store: { open: () => new Promise((resolve) => answers.push(resolve)) },
    groupOfArchive: (archiveNumber) => groups[archiveNumber],
    onChange: () => void state.changes++,
    runAfter: timers.runAfter,
    onFault: (error) => {
      throw error;
    },
  });
  return { open, answers, state, timers };
}

const counted = (archiveNumber: number, count: number, of: Partial<OpenCount> = {}): OpenCount => ({
  archiveNumber,
  severity: 'major',
  status: 'new',
  count,
  ...of,
});

const begun = (id: number, archiveNumber: number): StatusChange => ({
  id,
  archiveNumber,
  severity: 'major',
  before: undefined,
  after: 'new',
});

async function startWith(counts: readonly OpenCount[], lastId = 100) {
  const scene = start();
  const counting = scene.open.count();
  scene.answers.shift()?.({ counts, lastId });
  await counting;
  return scene;
}

describe('open events', () => {
  it('are counted by device group; those of the gateway for whoever sees them', async () => {
    const { open } = await startWith([
      counted(11, 3),
      counted(12, 2, { status: 'acknowledged' }),
      counted(21, 7, { severity: 'critical' }),
      counted(0, 1, { severity: 'info' }),
      // These are of a device that is disabled or gone.
      counted(99, 50),
    ]);
    expect(open.countsOf(new Set([1]), false)).toEqual({
      unacknowledged: { ...NONE, major: 3 },
      open: { ...NONE, major: 5 },
    });
    expect(open.countsOf(new Set([1, 2]), true).open).toEqual({ critical: 7, major: 5, minor: 0, info: 1 });
  });

  it('follow what begins and what members do', async () => {
    const { open, state } = await startWith([]);
    state.changes = 0;
    open.note([begun(101, 11), begun(102, 11)]);
    open.note([{ ...begun(101, 11), before: 'new', after: 'acknowledged' }]);
    expect(open.countsOf(new Set([1]), false)).toMatchObject({ unacknowledged: { major: 1 }, open: { major: 2 } });
    open.note([{ ...begun(101, 11), before: 'acknowledged', after: 'closed' }]);
    open.note([{ ...begun(102, 11), before: 'new', after: 'false-alarm' }]);
    expect(open.countsOf(new Set([1]), false)).toEqual({ unacknowledged: NONE, open: NONE });
    open.note([{ ...begun(102, 11), before: 'false-alarm', after: 'in-progress' }]);
    expect(open.countsOf(new Set([1]), false)).toMatchObject({ unacknowledged: { major: 0 }, open: { major: 1 } });
    expect(state.changes).toBe(5);
  });

  it('have those that began while they were counted once', async () => {
    const { open, answers } = start();
    const counting = open.count();
    open.note([begun(100, 11), begun(101, 11)]);
    answers.shift()?.({ counts: [counted(11, 1)], lastId: 100 });
    await counting;
    expect(open.countsOf(new Set([1]), false).open.major).toBe(2);
  });

  it('are counted again when a member was at work meanwhile', async () => {
    const { open, answers } = start();
    const counting = open.count();
    open.note([{ ...begun(5, 11), before: 'new', after: 'closed' }]);
    answers.shift()?.({ counts: [counted(11, 9)], lastId: 100 });
    await Promise.resolve();
    answers.shift()?.({ counts: [counted(11, 8)], lastId: 100 });
    await counting;
    expect(open.countsOf(new Set([1]), false).open.major).toBe(8);
  });

  it('pass with their device into another group', async () => {
    const { open } = await startWith([counted(11, 3)]);
    expect(open.countsOf(new Set([2]), false).open.major).toBe(0);
    GROUPS[11] = 2;
    open.regroup();
    expect(open.countsOf(new Set([2]), false).open.major).toBe(3);
    GROUPS[11] = 1;
  });
});

import { describe, expect, it } from 'vitest';
import { fenceSet, storedFence } from '../../../../support/fences.ts';
import { Drive, INSIDE, OUTSIDE, START_MS } from './drive.ts';

const set = fenceSet([storedFence({ rules: { enter: true, leave: true, insideMinutes: 5 } })]);
const late = (where: typeof INSIDE) => ({ ...where, isLate: true });

describe('late positions', () => {
  it('are evaluated as they were, and leave what happens now alone', () => {
    const bus = new Drive(set);
    bus.at(2_000, OUTSIDE);
    expect(bus.at(0, late(OUTSIDE))).toEqual([]);
    const [entered] = bus.signalsAt(60, late(INSIDE));
    expect(entered).toMatchObject({ type: 'fence-entered', sinceMs: START_MS + 60_000 });
    expect(bus.at(2_010, OUTSIDE)).toEqual([]);
    expect(bus.at(400, late(INSIDE))).toEqual(['fence-inside-long begin']);
    expect(bus.at(460, late(OUTSIDE))).toEqual(['fence-left', 'fence-inside-long end']);
    expect(bus.at(2_020, OUTSIDE)).toEqual([]);
    expect(bus.visits).toEqual(['visit 60 to 460']);
  });

  it('say nothing of what the first of them finds, which may have been so for long', () => {
    const bus = new Drive(set);
    bus.at(2_000, OUTSIDE);
    expect(bus.at(0, late(INSIDE))).toEqual([]);
    expect(bus.at(100, late(OUTSIDE))).toEqual(['fence-left']);
    expect(bus.visits).toEqual(['ended 0 to 100']);
  });

  it('that come again are known', () => {
    const bus = new Drive(set);
    bus.at(2_000, OUTSIDE);
    const first = [bus.at(0, late(OUTSIDE)), bus.at(60, late(INSIDE)), bus.at(120, late(OUTSIDE))];
    const again = [bus.at(0, late(OUTSIDE)), bus.at(60, late(INSIDE)), bus.at(120, late(OUTSIDE))];
    expect([first, again].map((each) => each.flat())).toEqual([['fence-entered', 'fence-left'], []]);
    expect(bus.visits).toHaveLength(1);
  });

  it('end what they have left open a minute after the last of them', () => {
    const bus = new Drive(set);
    bus.at(2_000, OUTSIDE);
    bus.at(0, late(OUTSIDE));
    bus.at(60, late(INSIDE));
    bus.at(400, late(INSIDE));
    expect(bus.endLate(459)).toEqual([]);
    expect(bus.endLate(460)).toEqual(['fence-inside-long end']);
    expect(bus.visits).toEqual(['visit 60 to 400']);
    expect(bus.fences.nextTickAtMs).toBe(Number.POSITIVE_INFINITY);
  });

  it('are on the clock of the device; visits are on that of the gateway', () => {
    const bus = new Drive(set);
    const clockMs = -420_000;
    bus.at(2_000, { ...OUTSIDE, clockMs });
    bus.at(0, { ...late(OUTSIDE), clockMs });
    bus.at(60, { ...late(INSIDE), clockMs });
    bus.at(120, { ...late(OUTSIDE), clockMs });
    expect(bus.visits).toEqual(['visit 60 to 120']);
  });
});

describe('a vehicle that leaves without a network', () => {
  it('has left once, whichever positions tell of it first: those of now', () => {
    const bus = new Drive(set);
    bus.at(0, INSIDE);
    expect(bus.at(2_000, OUTSIDE)).toContain('fence-left');
    bus.at(100, late(INSIDE));
    expect(bus.at(1_000, late(OUTSIDE))).not.toContain('fence-left');
    expect(bus.visits).toEqual(['open 0', 'close 2000', 'ended 100 to 1000']);
  });

  it('has left once, whichever positions tell of it first: the late ones', () => {
    const bus = new Drive(set);
    bus.at(0, INSIDE);
    bus.at(100, late(INSIDE));
    expect(bus.at(1_000, late(OUTSIDE))).toContain('fence-left');
    expect(bus.at(2_000, OUTSIDE)).not.toContain('fence-left');
    expect(bus.visits).toEqual(['open 0', 'ended 100 to 1000']);
  });
});

describe('a vehicle that enters without a network', () => {
  it('has entered once, when it did: late positions first', () => {
    const bus = new Drive(set);
    bus.at(0, OUTSIDE);
    bus.at(100, late(OUTSIDE));
    expect(bus.at(1_000, late(INSIDE))).toEqual(['fence-entered']);
    expect(bus.at(2_000, INSIDE)).not.toContain('fence-entered');
    bus.at(2_060, OUTSIDE);
    expect(bus.visits).toEqual(['open 1000', 'close 2060']);
  });

  it('has entered once, when it did: the position of now first', () => {
    const bus = new Drive(set);
    bus.at(0, OUTSIDE);
    expect(bus.at(2_000, INSIDE)).toEqual(['fence-entered']);
    bus.at(100, late(OUTSIDE));
    expect(bus.at(1_000, late(INSIDE))).not.toContain('fence-entered');
    bus.endLate(5_000);
    expect(bus.visits).toEqual(['open 2000', 'began 1000']);
  });

  it('that was in before, left and came back has two visits', () => {
    const bus = new Drive(set);
    bus.at(0, INSIDE);
    expect(bus.at(2_000, INSIDE)).toEqual(['fence-inside-long begin']);
    bus.at(100, late(INSIDE));
    expect(bus.at(500, late(OUTSIDE))).toContain('fence-left');
    bus.at(1_000, late(INSIDE));
    expect(bus.visits).toEqual(['open 0', 'ended 100 to 500', 'open 2000', 'began 1000']);
  });
});

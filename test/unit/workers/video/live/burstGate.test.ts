import { describe, expect, it } from 'vitest';
import { mediaUs } from '../../../../../shared/protocol/time.ts';
import { BurstGate } from '../../../../../workers/video/live/burstGate.ts';

const frame = (number: number) => mediaUs(number * 40_000);

/** Units 0 to `last`, back to back from `atMs` on. */
function burst(gate: BurstGate, last: number, atMs = 0): void {
  for (let number = 0; number <= last; number++) gate.arrived(frame(number), atMs + number / 10);
}

describe('BurstGate', () => {
  it('shows of a burst only the newest picture', () => {
    const gate = new BurstGate();
    burst(gate, 49);
    gate.settle();
    const verdicts = Array.from({ length: 50 }, (_, number) => gate.judge(frame(number), 60));
    expect(verdicts.filter((verdict) => verdict === 'show')).toHaveLength(1);
    expect(verdicts.at(-1)).toBe('show');
    expect(verdicts.slice(0, -1).every((verdict) => verdict === 'skip')).toBe(true);
  });

  it('holds pictures until the burst is in', () => {
    const gate = new BurstGate();
    burst(gate, 10);
    expect(gate.judge(frame(10), 5)).toBe('hold');
    gate.settle();
    expect(gate.judge(frame(10), 12)).toBe('show');
  });

  it('settles 10 ms after a unit alone, 30 ms after those that come back to back, at the latest 250 ms after the first', () => {
    const gate = new BurstGate();
    expect(gate.arrived(frame(0), 100)).toBe(110);
    expect(gate.arrived(frame(1), 105)).toBe(135);
    expect(gate.arrived(frame(2), 345)).toBe(350);
  });

  it('shows everything once it is live', () => {
    const gate = new BurstGate();
    burst(gate, 5);
    gate.settle();
    expect(gate.judge(frame(5), 20)).toBe('show');
    for (let number = 6; number < 30; number++) {
      expect(gate.arrived(frame(number), (number - 5) * 40)).toBeUndefined();
      expect(gate.judge(frame(number), (number - 5) * 40 + 3)).toBe('show');
    }
  });

  it('shows all late pictures after a hole in the network', () => {
    const gate = new BurstGate();
    gate.arrived(frame(0), 0);
    gate.settle();
    expect(gate.judge(frame(0), 12)).toBe('show');
    // One second of silence, then its 25 units at once.
    for (let number = 1; number <= 25; number++) expect(gate.arrived(frame(number), 1_000)).toBeUndefined();
    for (let number = 1; number <= 25; number++) expect(gate.judge(frame(number), 1_005)).toBe('show');
  });

  it('takes the rest of a burst that came in two pieces for a burst', () => {
    const gate = new BurstGate();
    burst(gate, 20);
    gate.settle();
    expect(gate.judge(frame(20), 12)).toBe('show');
    // 80 ms later come those of that time and the rest that the network had held back.
    const settleTimes = Array.from({ length: 20 }, (_, index) => gate.arrived(frame(21 + index), 100));
    expect(settleTimes.at(-1)).toBe(130);
    expect(gate.judge(frame(30), 104)).toBe('hold');
    gate.settle();
    expect(gate.judge(frame(39), 112)).toBe('skip');
    expect(gate.judge(frame(40), 114)).toBe('show');
  });

  it.each([3_600_000, -3_600_000])(
    'takes no unit for one of a burst when the device sets its clock by %d ms',
    (byMs) => {
      const gate = new BurstGate();
      gate.arrived(frame(0), 0);
      gate.settle();
      gate.judge(frame(0), 12);
      gate.rebase();
      // The first one behind it is late by more than the others.
      const late = (number: number) => (number === 1 ? 150 : 0);
      for (let number = 1; number <= 50; number++) {
        const mediaTimeUs = mediaUs(number * 40_000 + byMs * 1_000);
        expect(gate.arrived(mediaTimeUs, number * 40 + late(number))).toBeUndefined();
        expect(gate.judge(mediaTimeUs, number * 40 + 160)).toBe('show');
      }
      // Later on a burst is one again.
      expect(gate.arrived(mediaUs(60 * 40_000 + byMs * 1_000), 51 * 40)).toBeDefined();
    },
  );

  it('follows a device whose clock runs fast', () => {
    const gate = new BurstGate();
    gate.arrived(frame(0), 0);
    gate.settle();
    gate.judge(frame(0), 12);
    // Half a millisecond a picture, far past any real clock, until it has gained a second.
    const settled = Array.from({ length: 2_000 }, (_, index) => gate.arrived(frame(index + 1), (index + 1) * 39.5));
    expect(settled.every((settleAtMs) => settleAtMs === undefined)).toBe(true);
  });

  it('does not wait for ever for a decoder that never comes to the newest picture', () => {
    const gate = new BurstGate();
    burst(gate, 200);
    gate.settle();
    expect(gate.judge(frame(3), 900)).toBe('skip');
    expect(gate.judge(frame(9), 1_050)).toBe('show');
  });

  it('begins anew with a new connection, wherever its media time stands', () => {
    const gate = new BurstGate();
    burst(gate, 50);
    gate.settle();
    gate.judge(frame(50), 20);
    gate.start();
    gate.arrived(frame(0), 5_000);
    expect(gate.judge(frame(0), 5_001)).toBe('hold');
    gate.settle();
    expect(gate.judge(frame(0), 5_010)).toBe('show');
  });
});

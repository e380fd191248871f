import { describe, expect, it } from 'vitest';
import { SenderHealth } from '../../../../../server/notify/delivery/senderHealth.ts';

function open() {
  const told: string[] = [];
  const health = new SenderHealth();
  health.watch((sender, isFailing) => told.push(`${sender} ${isFailing}`));
  return { told, health };
}

function failTimes(health: SenderHealth, times: number, everyMs: number): void {
  for (let at = 0; at < times; at++) health.note(7, 'retry', at * everyMs);
}

describe('SenderHealth', () => {
  it('calls it failing after five failures in a row over a minute, once', () => {
    const { told, health } = open();
    failTimes(health, 4, 20_000);
    expect(told).toEqual([]);
    health.note(7, 'refused', 80_000);
    health.note(7, 'retry', 81_000);
    expect(told).toEqual(['7 true']);
    expect([...health.failing]).toEqual([7]);
  });

  it('counts from the first failure by a clock that was set back meanwhile', () => {
    const { told, health } = open();
    health.note(7, 'retry', 9_000_000);
    failTimes(health, 4, 20_000);
    expect(told).toEqual(['7 true']);
  });

  it('does not take a short burst for a failing sender', () => {
    const { told, health } = open();
    failTimes(health, 50, 1_000);
    expect(told).toEqual([]);
  });

  it('begins to count anew after a message that was sent', () => {
    const { told, health } = open();
    failTimes(health, 4, 20_000);
    health.note(7, 'sent', 70_000);
    health.note(7, 'retry', 80_000);
    expect(told).toEqual([]);
  });

  it('tells when it works again, or is not used any more', () => {
    const { told, health } = open();
    failTimes(health, 5, 20_000);
    health.note(7, 'sent', 100_000);
    health.forget(7);
    expect(told).toEqual(['7 true', '7 false']);
  });

  it('knows after a restart what kept failing before it', () => {
    const { told, health } = open();
    const before = { failingSinceMs: 1_000, lastFailureAtMs: 90_000 };
    health.start([
      { sender: 7, failures: 9, ...before },
      { sender: 8, failures: 2, ...before },
    ]);
    expect(told).toEqual(['7 true']);
    for (let at = 0; at < 3; at++) health.note(8, 'retry', 100_000);
    expect(told).toEqual(['7 true', '8 true']);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { DatabaseRetry } from '../../../../../server/device/orders/databaseRetry.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';
import { settled } from '../jt808/fakeTerminal.ts';

describe('DatabaseRetry', () => {
  let timers: ManualTimers;
  let faults: string[];
  let attempts: number;
  let failures: number;
  let retry: DatabaseRetry;
  beforeEach(() => {
    timers = new ManualTimers();
    [faults, attempts, failures] = [[], 0, 0];
    retry = new DatabaseRetry({
      now: timers.now,
      runAfter: timers.runAfter,
      random: () => 0.5,
      onFault: ({ message }) => faults.push(message),
    });
  });

  const work = async (): Promise<number> => {
    attempts++;
    if (failures-- > 0) throw new Error('away');
    return attempts;
  };

  /** Lets the waits pass, one after the other. */
  async function pass(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      await settled();
      timers.advance(15_000);
    }
    await settled();
  }

  it('gives what the first attempt gives', async () => {
    expect(await retry.run('nothing is wrong', work)).toEqual({ value: 1 });
    expect(faults).toEqual([]);
  });

  it('repeats work until it is done, with growing delays', async () => {
    failures = 5;
    const done = retry.run('it fails', work);
    const delaysMs: number[] = [];
    for (let round = 0; round < 5; round++) {
      await settled();
      const before = timers.now();
      const attemptsBefore = attempts;
      while (attempts === attemptsBefore) {
        timers.advance(5);
        await settled();
      }
      delaysMs.push(timers.now() - before);
    }
    expect(await done).toEqual({ value: 6 });
    expect(delaysMs).toEqual([375, 750, 1_500, 3_000, 6_000]);
  });

  it('says once in some seconds that the database is away, however many wait for it', async () => {
    failures = 100;
    for (let at = 0; at < 10; at++) void retry.run('it fails', work);
    await settled();
    expect([attempts, faults]).toEqual([10, ['it fails']]);
    timers.advance(5_000);
    await settled();
    expect(faults).toHaveLength(2);
  });

  it('gives up when the time is over', async () => {
    failures = 100;
    const done = retry.run('it fails', work, 1_000);
    await pass(3);
    expect(await done).toBeUndefined();
    expect(attempts).toBe(2);
    expect(timers.pending).toBe(0);
  });

  it('tries once more when it is closed, and once from then on', async () => {
    failures = 2;
    const late = retry.run('it fails', work);
    await settled();
    retry.close();
    expect(await late).toBeUndefined();
    expect(attempts).toBe(2);
    expect(await retry.run('it works', work)).toEqual({ value: 3 });
    failures = 1;
    expect(await retry.run('it fails', work)).toBeUndefined();
    expect(timers.pending).toBe(0);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { checkOf } from '../../../../server/health/healthSource.ts';
import { HealthWatch } from '../../../../server/health/healthWatch.ts';
import type { Health, HealthCheck } from '../../../../shared/protocol/api/system/health.ts';
import type { HealthKind, HealthState } from '../../../../shared/protocol/health/healthWords.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import { waitFor } from '../../../support/waitFor.ts';

const MINUTE_MS = 60_000;
const check = (kind: HealthKind, subject: string, state: HealthState): HealthCheck =>
  checkOf(kind, subject, { state, values: [], advice: '' });

describe('the watch over the installation', () => {
  let timers: ManualTimers;
  let watch: HealthWatch;
  let checks: readonly HealthCheck[];
  let told: string[];
  let looks: number;
  beforeEach(() => {
    timers = new ManualTimers();
    told = [];
    looks = 0;
    watch = new HealthWatch({
      reader: {
        read: async (): Promise<Health> => {
          looks++;
          return { checkedAtMs: wallMs(0), state: 'ok', checks };
        },
      },
      tell: (kind, isProblem) => told.push(`${kind} ${isProblem}`),
      runAfter: timers.runAfter,
      onFault: noFaults,
    });
  });

  /** What is told in each of so many minutes. */
  async function minutes(count: number, ...now: readonly HealthCheck[]): Promise<string[]> {
    checks = now;
    const lines: string[] = [];
    for (let minute = 0; minute < count; minute++) {
      told = [];
      const before = looks;
      timers.advance(MINUTE_MS);
      await waitFor('a look', () => looks > before && timers.pending > 0);
      lines.push(told.join(', '));
    }
    return lines;
  }

  it('tells of a problem that lasts, and of its end', async () => {
    expect(await minutes(1, check('disks', 'data', 'ok'))).toEqual(['disks false']);
    const bad = check('disks', 'data', 'problem');
    expect(await minutes(4, bad)).toEqual(['', '', 'disks true', 'disks true']);
    const fine = check('disks', 'data', 'warning');
    expect(await minutes(5, fine)).toEqual([...Array(4).fill('disks true'), 'disks false']);
    await watch.close();
    expect(timers.pending).toBe(0);
  });

  it('leaves an event of an earlier run alone until it is known whether its problem is over', async () => {
    expect(await minutes(2, check('disks', '', 'unknown'))).toEqual(['', '']);
    expect(await minutes(3, check('disks', 'data', 'problem'))).toEqual(['', '', 'disks true']);
  });

  it('tells of a kind as long as one of its checks has a problem', async () => {
    const [data, recordings] = [check('disks', 'data', 'problem'), check('disks', 'recordings', 'problem')];
    await minutes(3, data, recordings);
    expect(await minutes(5, check('disks', 'data', 'ok'), recordings)).toEqual(Array(5).fill('disks true'));
    expect((await minutes(5, check('disks', 'data', 'ok'), check('disks', 'recordings', 'ok'))).at(-1)).toBe(
      'disks false',
    );
  });

  it('takes no answer for neither, of a check and of all', async () => {
    await minutes(3, check('disks', 'data', 'problem'));
    expect(await minutes(6, check('disks', '', 'unknown'))).toEqual(Array(6).fill('disks true'));
    expect(await minutes(6, check('disks', 'data', 'unknown'))).toEqual(Array(6).fill('disks true'));
  });

  it('forgets a check that is no more', async () => {
    await minutes(3, check('ports', 'web', 'ok'), check('ports', 'redirect', 'problem'));
    expect(await minutes(1, check('ports', 'web', 'ok'))).toEqual(['ports false']);
  });
});

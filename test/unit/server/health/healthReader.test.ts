import { beforeEach, describe, expect, it } from 'vitest';
import { HealthReader, SOURCE_WITHIN_MS } from '../../../../server/health/healthReader.ts';
import { checkOf, type HealthSource } from '../../../../server/health/healthSource.ts';
import type { HealthCheck } from '../../../../shared/protocol/api/system/health.ts';
import type { HealthKind, HealthState } from '../../../../shared/protocol/health/healthWords.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';

let timers: ManualTimers;
let faults: Error[];
let reads: string[];
beforeEach(() => {
  timers = new ManualTimers();
  faults = [];
  reads = [];
});

const check = (kind: HealthKind, subject: string, state: HealthState = 'ok'): HealthCheck =>
  checkOf(kind, subject, { state, values: [], advice: '' });

const sourceOf = (kind: HealthKind, answer: () => Promise<readonly HealthCheck[]>): HealthSource => ({
  kind,
  read: () => {
    reads.push(kind);
    return answer();
  },
});

const readerOf = (...sources: HealthSource[]): HealthReader =>
  new HealthReader({
    sources,
    now: timers.now,
    runAfter: timers.runAfter,
    onFault: (error) => faults.push(error),
  });

describe('the health of the installation', () => {
  it('is what all sources say, by kind, and in the state of the worst', async () => {
    const reader = readerOf(
      sourceOf('threads', async () => [check('threads', 'main')]),
      sourceOf('disks', async () => [check('disks', 'data'), check('disks', 'recordings', 'warning')]),
      sourceOf('ports', async () => [check('ports', 'web')]),
    );
    const { state, checks } = await reader.read();
    expect(checks.map(({ id }) => id)).toEqual(['ports/web', 'disks/data', 'disks/recordings', 'threads/main']);
    expect(state).toBe('warning');
    expect(timers.pending).toBe(0);
  });

  it('is read once for all who ask at the same time, and again after five seconds', async () => {
    const reader = readerOf(sourceOf('ports', async () => []));
    await Promise.all([reader.read(), reader.read()]);
    timers.advance(4_999);
    await reader.read();
    expect(reads).toHaveLength(1);
    timers.advance(1);
    await Promise.all([reader.read(), reader.read()]);
    expect(reads).toHaveLength(2);
  });

  it('is unknown of a source that fails, and the fault is told', async () => {
    const reader = readerOf(
      sourceOf('ports', async () => [check('ports', 'web')]),
      sourceOf('tables', () => Promise.reject(new Error('no database'))),
    );
    const { state, checks } = await reader.read();
    expect(checks.map(({ id, state, advice }) => [id, state, advice])).toEqual([
      ['ports/web', 'ok', ''],
      ['tables', 'unknown', 'check-again'],
    ]);
    expect(state).toBe('unknown');
    expect(faults).toHaveLength(1);
  });

  it('waits two seconds for a source, and does not ask it again before it has answered', async () => {
    let answer: (checks: readonly HealthCheck[]) => void = () => undefined;
    const slow = new Promise<readonly HealthCheck[]>((resolve) => {
      answer = resolve;
    });
    const reader = readerOf(sourceOf('tables', () => slow));
    const first = reader.read();
    timers.advance(SOURCE_WITHIN_MS);
    expect((await first).checks).toMatchObject([{ id: 'tables', state: 'unknown' }]);
    timers.advance(5_000);
    const second = reader.read();
    answer([check('tables', 'event')]);
    expect((await second).checks).toMatchObject([{ id: 'tables/event', state: 'ok' }]);
    expect(reads).toEqual(['tables']);
    expect(faults).toEqual([]);
  });
});

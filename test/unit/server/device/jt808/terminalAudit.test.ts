import { beforeEach, describe, expect, it } from 'vitest';
import { type AuditedRegistration, TerminalAudit } from '../../../../../server/device/jt808/terminalAudit.ts';
import type { AuditEntry } from '../../../../../server/store/audit/auditEntry.ts';
import { ManualTimers } from '../../../../support/fakes/manualTimers.ts';

const HOUR_MS = 3_600_000;
const GUESS: AuditedRegistration = {
  action: 'terminal.mismatch',
  deviceId: 'BUS1',
  terminal: '138',
  address: '192.0.2.1',
  manufacturer: 'm',
  terminalId: 'wrong',
};

describe('TerminalAudit', () => {
  let timers: ManualTimers;
  let audit: TerminalAudit;
  let written: { readonly atMs: number; readonly action: string; readonly attempts: unknown }[];
  let reached: string[];
  beforeEach(() => {
    timers = new ManualTimers();
    written = [];
    reached = [];
    const add = async ({ action, detail }: AuditEntry, atMs: number) => {
      written.push({ atMs, action, attempts: detail?.attempts });
    };
    audit = new TerminalAudit({
      audit: { add },
      now: timers.now,
      runAfter: timers.runAfter,
      onLimit: ({ name }) => reached.push(name),
      onFault: (error) => {
        throw error;
      },
    });
  });

  const guess = async (count: number, fields: Partial<AuditedRegistration> = {}): Promise<void> => {
    for (let turn = 0; turn < count; turn++) await audit.note({ ...GUESS, ...fields });
  };

  it('says at once that somebody guesses, and when the hour is over how often', async () => {
    await guess(41);
    expect(written).toEqual([{ atMs: 0, action: 'terminal.mismatch', attempts: 1 }]);
    timers.advance(HOUR_MS);
    expect(written.slice(1)).toEqual([{ atMs: HOUR_MS, action: 'terminal.mismatch', attempts: 40 }]);
    expect(timers.pending).toBe(0);
  });

  it('says no more of what was not repeated, and begins anew after the hour', async () => {
    await guess(1);
    timers.advance(HOUR_MS);
    expect(written).toHaveLength(1);
    await guess(1);
    expect(written).toHaveLength(2);
  });

  it('ends each hour by itself', async () => {
    await guess(2);
    timers.advance(HOUR_MS / 2);
    await audit.note({ ...GUESS, address: '192.0.2.2' });
    await audit.note({ ...GUESS, address: '192.0.2.2' });
    timers.advance(HOUR_MS / 2);
    expect(written.map(({ atMs }) => atMs)).toEqual([0, HOUR_MS / 2, HOUR_MS]);
    timers.advance(HOUR_MS / 2);
    expect(written.map(({ atMs }) => atMs)).toEqual([0, HOUR_MS / 2, HOUR_MS, 1.5 * HOUR_MS]);
  });

  it('writes what it has counted when the gateway stops', async () => {
    await guess(5);
    await audit.close();
    expect(written.map(({ attempts }) => attempts)).toEqual([1, 4]);
    expect(timers.pending).toBe(0);
  });

  it('has room for guesses however many terminals have moved', async () => {
    for (let device = 0; device < 200; device++) {
      await audit.note({ ...GUESS, action: 'terminal.moved', deviceId: `BUS${device}` });
    }
    expect(reached).toHaveLength(100);
    await guess(1);
    expect(written.at(-1)?.action).toBe('terminal.mismatch');
  });
});

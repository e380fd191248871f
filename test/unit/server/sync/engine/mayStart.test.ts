import { describe, expect, it } from 'vitest';
import {
  MAX_RUNS,
  MAX_RUNS_OF_RULES,
  mayStart,
  nextOfWait,
  reasonToStop,
  type StartFacts,
} from '../../../../../server/sync/engine/mayStart.ts';
import { aSyncRule } from '../../../../support/sync/syncRecords.ts';

/** A Thursday. */
const NOW_MS = Date.UTC(1970, 0, 1, 12);
const MORNING = [{ days: [4], fromMinute: 0, toMinute: 60 }];
const rule = aSyncRule();

function facts(change: Partial<StartFacts> = {}): StartFacts {
  return {
    nowMs: NOW_MS,
    wait: '',
    nextAtMs: 0,
    isCovered: true,
    rule,
    timeZone: 'UTC',
    isOnline: true,
    isDiskReady: true,
    isWatched: false,
    mayTransfer: true,
    isOffNetwork: false,
    receivedTodayBytes: 0,
    runningOfRule: 0,
    runningInAll: 0,
    isOthersTurn: false,
    ...change,
  };
}

describe('whether an item may be fetched', () => {
  it.each<[string, Partial<StartFacts>]>([
    ['nothing is in its way', {}],
    ['nobody but a member asked for it', { rule: undefined, runningInAll: MAX_RUNS - 1 }],
    [
      'its hours are now, in the time zone of the device',
      { rule: { ...rule, hours: MORNING }, timeZone: 'Pacific/Pago_Pago' },
    ],
    ['its next attempt is due', { wait: 'retry', nextAtMs: NOW_MS }],
    ['some of the day is left', { rule: { ...rule, megabytesADay: 1 }, receivedTodayBytes: 999_999 }],
    ['its rule has a place left', { runningOfRule: rule.concurrency - 1, runningInAll: MAX_RUNS_OF_RULES - 1 }],
    ['its rule allows the mobile network by now', { isOffNetwork: true }],
  ])('it may where %s', (_why, change) => {
    // Midnight to one o'clock on the island, eleven hours behind.
    const nowMs = change.timeZone === undefined ? NOW_MS : Date.UTC(1970, 0, 1, 11, 30);
    expect(mayStart(facts({ ...change, nowMs }))).toEqual({ kind: 'start' });
  });

  it.each<[string, Partial<StartFacts>]>([
    ['online', { isOnline: false, rule: { ...rule, hours: MORNING } }],
    ['window', { rule: { ...rule, hours: MORNING }, mayTransfer: false }],
    ['plan', { mayTransfer: false, rule: { ...rule, megabytesADay: 1 }, receivedTodayBytes: 1_000_000 }],
    ['allowance', { rule: { ...rule, megabytesADay: 1 }, receivedTodayBytes: 1_000_000, nextAtMs: NOW_MS + 1 }],
    ['network', { rule: { ...rule, mobile: false }, isOffNetwork: true, nextAtMs: NOW_MS + 1 }],
    ['retry', { nextAtMs: NOW_MS + 1, isDiskReady: false }],
    ['retry', { wait: 'online', nextAtMs: NOW_MS + 1 }],
    ['network', { wait: 'network', nextAtMs: NOW_MS + 1 }],
    ['turn', { wait: 'turn', nextAtMs: NOW_MS + 1 }],
    ['disk', { isDiskReady: false, isWatched: true }],
    ['viewers', { isWatched: true, runningInAll: MAX_RUNS }],
    ['turn', { runningOfRule: rule.concurrency }],
    ['turn', { runningInAll: MAX_RUNS_OF_RULES }],
    ['turn', { rule: undefined, runningInAll: MAX_RUNS }],
    ['turn', { isOthersTurn: true }],
  ])('it waits for what lasts longest: %s', (wait, change) => {
    expect(mayStart(facts(change))).toEqual({ kind: 'wait', wait });
  });

  it('it is canceled where its rule is switched off, or nobody has the device any more', () => {
    expect(mayStart(facts({ rule: { ...rule, enabled: false } }))).toEqual({ kind: 'cancel' });
    expect(mayStart(facts({ isCovered: false, isOnline: false }))).toEqual({ kind: 'cancel' });
  });

  it('keeps back the device, its rule, or nothing behind it', () => {
    expect((['online', 'viewers', 'disk'] as const).map(nextOfWait)).not.toContain('next-rule');
    for (const wait of ['window', 'network', 'allowance', 'turn'] as const) expect(nextOfWait(wait)).toBe('next-rule');
    for (const wait of ['plan', 'retry'] as const) expect(nextOfWait(wait)).toBe('next-item');
  });
});

describe('whether an item that is being fetched goes on', () => {
  const reason = (change: Partial<StartFacts>, method: 'ftp' | 'playback' = 'ftp') =>
    reasonToStop({ ...facts(change), method });

  it('it does, whatever of the day it uses', () => {
    expect(reason({ rule: { ...rule, megabytesADay: 1 }, receivedTodayBytes: 9_000_000 })).toBeUndefined();
    expect(reason({ rule: undefined }, 'playback')).toBeUndefined();
    expect(reason({ rule: { ...rule, mobile: false } })).toBeUndefined();
  });

  it("it does not where the hours are over, the rule is switched off, or the device is nobody's any more", () => {
    expect(reason({ rule: { ...rule, hours: MORNING } })).toEqual({ state: 'waiting', wait: 'window' });
    for (const change of [{ rule: { ...rule, enabled: false } }, { isCovered: false }])
      expect(reason(change)).toEqual({ state: 'planned', wait: '' });
  });

  it('it is begun anew where playback may not be used any more', () => {
    expect(reason({ rule: { ...rule, mobile: false } }, 'playback')).toEqual({ state: 'planned', wait: '' });
  });
});

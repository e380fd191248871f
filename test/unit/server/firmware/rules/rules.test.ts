import { describe, expect, it } from 'vitest';
import { mayApprove, stateAfter } from '../../../../../server/firmware/rules/acts.ts';
import { beginningsOf } from '../../../../../server/firmware/rules/beginnings.ts';
import {
  type Conditions,
  type DeviceSituation,
  isInWindow,
  isPastDates,
  waitOf,
} from '../../../../../server/firmware/rules/conditions.ts';
import { courseOf } from '../../../../../server/firmware/rules/course.ts';
import { faultOfFit, type ImageDemands } from '../../../../../server/firmware/rules/fitting.ts';
import { fitsPattern, fitsPatternOrAny } from '../../../../../server/firmware/rules/patterns.ts';
import { afterFailure } from '../../../../../server/firmware/rules/retries.ts';
import { areStages, stagesOf } from '../../../../../server/firmware/rules/stages.ts';
import { compareVersions } from '../../../../../server/firmware/rules/versions.ts';
import type { FirmwareDeviceState } from '../../../../../shared/protocol/firmware/firmwareWords.ts';

const MINUTE_MS = 60_000;

describe('patterns', () => {
  it.each([
    ['MDVR', 'mdvr', true],
    ['MDVR', 'MDVR2', false],
    ['MDVR*', 'MDVR2', true],
    ['*R2', 'MDVR2', true],
    ['M*R*2', 'MDVR-12', true],
    ['a*a', 'a', false],
    ['*', '', true],
    ['', 'x', false],
    ['a**b', 'ab', true],
    ['M.VR', 'MDVR', false],
  ])('%s against %s: %s', (pattern, text, fits) => {
    expect(fitsPattern(pattern, text)).toBe(fits);
  });

  it('take no time that grows with the number of asterisks', () => {
    expect(fitsPattern(`${'a*'.repeat(20)}b`, 'a'.repeat(10_000))).toBe(false);
  });

  it('of nothing fit anything', () => {
    expect(fitsPatternOrAny(' ', 'x')).toBe(true);
    expect(fitsPatternOrAny('y', 'x')).toBe(false);
  });
});

describe('versions', () => {
  it.each([
    ['V1.9', 'V1.10'],
    ['1.2', '1.2.1'],
    ['1.2-beta', '1.2'],
    ['1.2', '1.2b'],
    ['1.2a', '1.2b'],
    ['T3-20261101', 'T3-20261102'],
    ['1.99999999999999999998', '1.99999999999999999999'],
  ])('%s is older than %s', (older, newer) => {
    expect(compareVersions(older, newer)).toBeLessThan(0);
    expect(compareVersions(newer, older)).toBeGreaterThan(0);
  });

  it.each([
    ['V1.2', '1.02'],
    ['ver 1.2', 'v1.2.0'],
    ['A-B', 'a b'],
  ])('%s is %s', (one, other) => {
    expect(compareVersions(one, other)).toBe(0);
  });
});

describe('whether an image fits a device', () => {
  const image: ImageDemands = {
    vendor: 'ACME',
    models: ['MDVR-8*', 'X1'],
    hardwareVersion: 'HW2*',
    firmwareVersion: '2.0',
    minimumVersion: '1.5',
    part: 'terminal',
  };
  const device = { manufacturer: 'acme', model: 'MDVR-8C', hardwareVersion: 'HW2.1', firmwareVersion: '1.9' };

  it.each([
    [{}, ''],
    [{ manufacturer: 'other' }, 'model-mismatch'],
    [{ model: 'MDVR-4' }, 'model-mismatch'],
    [{ model: '' }, 'model-mismatch'],
    [{ hardwareVersion: 'HW1' }, 'hardware-mismatch'],
    [{ firmwareVersion: '1.4' }, 'version-too-old'],
    [{ firmwareVersion: '' }, 'version-too-old'],
    [{ firmwareVersion: 'V2.00' }, 'already-installed'],
    [{ firmwareVersion: '2.1' }, 'older-version'],
  ])('%j: %s', (change, fault) => {
    expect(faultOfFit(image, { ...device, ...change })).toBe(fault);
  });

  it('the version of a terminal says nothing of its card reader', () => {
    expect(faultOfFit({ ...image, part: 'card-reader' }, { ...device, firmwareVersion: '9' })).toBe('');
  });
});

describe('stages', () => {
  const ids = Array.from({ length: 10 }, (_, at) => `D${at}`);
  const sizes = (placed: ReadonlyMap<string, number>) => {
    const counts: number[] = [];
    for (const stage of placed.values()) counts[stage] = (counts[stage] ?? 0) + 1;
    return counts;
  };

  it('put canaries first, and reach the others by percent', () => {
    const placed = stagesOf(ids, { canaries: ['D7', 'gone'], stages: [10, 50, 100] });
    expect(placed.get('D7')).toBe(0);
    expect(sizes(placed)).toEqual([1, 1, 4, 4]);
    expect(stagesOf(ids, { canaries: ['D7'], stages: [10, 50, 100] })).toEqual(placed);
  });

  it('leave out those that would be empty', () => {
    expect(sizes(stagesOf(['A'], { canaries: [], stages: [10, 50, 100] }))).toEqual([1]);
  });

  it('rise to all of them', () => {
    expect(areStages([10, 100])).toBe(true);
    expect(areStages([10, 10, 100])).toBe(false);
    expect(areStages([10, 90])).toBe(false);
  });
});

describe('the course of a task', () => {
  const rules = { requiredPercent: 95, abortDevices: 2, abortPercent: 10, pauseMinutes: 0 };
  const place = { stage: 0, nextStageAtMs: 0, isPastDates: false, isAccepted: false };
  const of = (states: readonly FirmwareDeviceState[], stage = 0) => states.map((state) => ({ state, stage }));
  const waiting = of(['queued', 'queued', 'queued'], 1);

  it('goes on while its stage is under way, and then with the next', () => {
    expect(courseOf([...of(['done', 'verifying']), ...waiting], place, rules, 0)).toEqual({ kind: 'go' });
    expect(courseOf([...of(['done', 'skipped']), ...waiting], place, rules, 0)).toEqual({ kind: 'next', stage: 1 });
    expect(courseOf(of(['done', 'failed']), place, rules, 0)).toEqual({ kind: 'done' });
  });

  it('pauses after a stage with too few successes, unless somebody has accepted it', () => {
    const devices = [...of(['done', 'failed']), ...waiting];
    expect(courseOf(devices, place, rules, 0)).toEqual({ kind: 'pause', reason: 'stage-failed' });
    expect(courseOf(devices, { ...place, isAccepted: true }, rules, 0)).toEqual({ kind: 'next', stage: 1 });
  });

  it('stops at the number or the share of failures, whichever is larger', () => {
    const stopped = { kind: 'stop', reason: 'too-many-failures' };
    expect(courseOf([...of(['failed', 'refused', 'queued']), ...waiting], place, rules, 0)).toEqual(stopped);
    const many = [...of(['failed', 'failed']), ...of(Array.from({ length: 98 }, () => 'queued' as const))];
    expect(courseOf(many, place, rules, 0)).toEqual({ kind: 'go' });
    const more = [...of(Array.from({ length: 10 }, () => 'failed' as const)), ...many.slice(10)];
    expect(courseOf(more, place, rules, 0)).toEqual(stopped);
  });

  it('takes the share of the devices that are not skipped', () => {
    const skipped = of(Array.from({ length: 960 }, () => 'skipped' as const));
    const fitting = (failed: number) => of(Array.from({ length: 40 }, (_, at) => (at < failed ? 'failed' : 'queued')));
    expect(courseOf([...skipped, ...fitting(3)], place, rules, 0)).toEqual({ kind: 'go' });
    const stopped = { kind: 'stop', reason: 'too-many-failures' };
    expect(courseOf([...skipped, ...fitting(4)], place, rules, 0)).toEqual(stopped);
  });

  it('waits between stages', () => {
    const devices = [...of(['done']), ...waiting];
    const slow = { ...rules, pauseMinutes: 5 };
    const waits = { kind: 'wait', nextStageAtMs: 5 * MINUTE_MS };
    expect(courseOf(devices, place, slow, 0)).toEqual(waits);
    expect(courseOf(devices, { ...place, nextStageAtMs: 5 * MINUTE_MS }, slow, 1)).toEqual(waits);
    const next = { kind: 'next', stage: 1 };
    expect(courseOf(devices, { ...place, nextStageAtMs: 5 * MINUTE_MS }, slow, 5 * MINUTE_MS)).toEqual(next);
  });

  it('stops once its dates are over', () => {
    const past = { ...place, isPastDates: true };
    expect(courseOf(of(['done', 'queued']), past, rules, 0)).toEqual({ kind: 'stop', reason: 'ended-dates' });
    expect(courseOf(of(['done', 'done']), past, rules, 0)).toEqual({ kind: 'done' });
  });
});

describe('what may begin', () => {
  const device = (id: number, change = {}) => ({
    id,
    stage: 0,
    state: 'queued' as FirmwareDeviceState,
    model: 'M',
    attempts: 0,
    isModelKnown: true,
    isReady: true,
    ...change,
  });

  it('never more than the places, and none of a later stage', () => {
    const devices = [device(1), device(2, { stage: 1 }), device(3, { isReady: false }), device(4), device(5)];
    expect(beginningsOf(devices, { stage: 0, places: 2 })).toEqual({ begin: [1, 4], turn: [] });
    expect(beginningsOf(devices, { stage: 0, places: 0 })).toEqual({ begin: [], turn: [] });
  });

  it('an unknown model is tried on one device first', () => {
    const unknown = { isModelKnown: false };
    const devices = [device(1, unknown), device(2, unknown), device(3, { ...unknown, model: 'N' }), device(4)];
    expect(beginningsOf(devices, { stage: 0, places: 9 })).toEqual({ begin: [1, 3, 4], turn: [2] });
    const trying = [device(1, { ...unknown, state: 'verifying', isReady: false }), device(2, unknown)];
    expect(beginningsOf(trying, { stage: 0, places: 9 })).toEqual({ begin: [], turn: [2] });
    const proven = [device(1, { ...unknown, state: 'done', isReady: false }), device(2, unknown), device(3, unknown)];
    expect(beginningsOf(proven, { stage: 0, places: 9 })).toEqual({ begin: [2, 3], turn: [] });
  });

  it.each([
    [
      { state: 'waiting', attempts: 1, isReady: false },
      { begin: [], turn: [2] },
    ],
    [
      { state: 'waiting', attempts: 1 },
      { begin: [1], turn: [2] },
    ],
    [
      { state: 'queued', attempts: 1 },
      { begin: [1], turn: [2] },
    ],
    [
      { state: 'failed', attempts: 3, isReady: false },
      { begin: [], turn: [2] },
    ],
    [
      { state: 'refused', attempts: 1, isReady: false },
      { begin: [], turn: [2] },
    ],
    [
      { state: 'waiting', isReady: false },
      { begin: [2], turn: [] },
    ],
    [
      { state: 'skipped', isReady: false },
      { begin: [2], turn: [] },
    ],
    [
      { state: 'failed', attempts: 3, isReady: false, isModelKnown: true },
      { begin: [2], turn: [] },
    ],
  ])('an unknown model whose first device is %j: %j', (first, expected) => {
    const isModelKnown = 'isModelKnown' in first;
    const devices = [device(1, { isModelKnown, ...first }), device(2, { isModelKnown })];
    expect(beginningsOf(devices, { stage: 0, places: 9 })).toEqual(expected);
  });

  it('an unknown model that has failed on one device, and is done on another, is proven', () => {
    const unknown = { isModelKnown: false };
    const failed = device(1, { ...unknown, state: 'failed', isReady: false });
    const done = device(2, { ...unknown, state: 'done', isReady: false });
    expect(beginningsOf([failed, done, device(3, unknown)], { stage: 0, places: 9 })).toEqual({ begin: [3], turn: [] });
  });
});

describe('what a device waits for', () => {
  const conditions: Conditions = {
    parkedMinutes: 10,
    ignition: 'off',
    unwatched: true,
    minimumSignal: 15,
    needsPlan: true,
  };
  const nowMs = 60 * MINUTE_MS;
  const good: DeviceSituation = {
    isOnline: true,
    isInWindow: true,
    parkedSinceMs: nowMs - 10 * MINUTE_MS,
    ignitionOn: false,
    isWatched: false,
    signal: 15,
    mayTransfer: true,
    hasPlanLeft: true,
    reported: undefined,
  };

  it.each([
    [{}, ''],
    [{ isOnline: false }, 'online'],
    [{ isInWindow: false }, 'window'],
    [{ parkedSinceMs: nowMs - 9 * MINUTE_MS }, 'parked'],
    [{ parkedSinceMs: undefined }, 'parked'],
    [{ ignitionOn: true }, 'ignition'],
    [{ ignitionOn: undefined }, 'ignition'],
    [{ isWatched: true }, 'viewers'],
    [{ signal: 14 }, 'signal'],
    [{ signal: undefined }, 'signal'],
    [{ hasPlanLeft: false }, 'plan'],
    [{ mayTransfer: false }, 'plan'],
  ])('%j: %s', (change, wait) => {
    expect(waitOf(conditions, { ...good, ...change }, nowMs)).toBe(wait);
  });

  it('a plan that lets no files pass holds every task up, one without its size left those that ask for it', () => {
    const careless = { ...conditions, needsPlan: false };
    expect(waitOf(careless, { ...good, hasPlanLeft: false }, nowMs)).toBe('');
    expect(waitOf(careless, { ...good, mayTransfer: false }, nowMs)).toBe('plan');
  });

  it('hours and dates are those of where the device is', () => {
    const night = [{ days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 60, toMinute: 300 }];
    const dates = { window: night, fromDay: '2026-11-24', toDay: '2026-11-24' };
    const atMs = Date.parse('2026-11-23T18:00:00Z');
    expect(isInWindow(dates, 'Asia/Taipei', atMs)).toBe(true);
    expect(isInWindow(dates, 'UTC', atMs)).toBe(false);
    expect(isInWindow({ ...dates, toDay: '2026-11-23', fromDay: '' }, 'Asia/Taipei', atMs)).toBe(false);
    expect(isPastDates({ toDay: '2026-11-23' }, 'Asia/Taipei', atMs)).toBe(true);
    expect(isPastDates({ toDay: '2026-11-23' }, 'UTC', atMs)).toBe(false);
  });
});

describe('after a failure', () => {
  it('comes another attempt with growing waits, and no fourth', () => {
    const failure = { fault: 'disconnected', isPassing: true } as const;
    const first = afterFailure({ ...failure, attempts: 1 }, 0);
    const second = afterFailure({ ...failure, attempts: 2 }, 0);
    expect([first.kind, second.kind]).toEqual(['retry', 'retry']);
    if (first.kind === 'retry' && second.kind === 'retry') expect(second.atMs).toBeGreaterThan(first.atMs);
    expect(afterFailure({ ...failure, attempts: 3 }, 0)).toEqual({ kind: 'end', state: 'failed' });
  });

  it('comes none where the cause will not pass', () => {
    const ended = { fault: 'refused', isPassing: false, attempts: 1 } as const;
    expect(afterFailure(ended, 0)).toEqual({ kind: 'end', state: 'refused' });
    expect(afterFailure({ ...ended, fault: 'protocol-error' }, 0)).toEqual({ kind: 'end', state: 'failed' });
  });
});

describe('what members may do', () => {
  it('depends on the state', () => {
    expect(stateAfter('draft', 'approve')).toBe('approved');
    expect(stateAfter('draft', 'start')).toBeUndefined();
    expect(stateAfter('approved', 'start')).toBe('running');
    expect(stateAfter('stopped', 'resume')).toBeUndefined();
    expect(stateAfter('paused', 'stop')).toBe('stopped');
  });

  it('nobody approves an own task, unless the installation lets them', () => {
    expect(mayApprove('second', [1, 2], 2)).toBe(false);
    expect(mayApprove('second', [1, 2], 3)).toBe(true);
    expect(mayApprove('any', [1, 2], 2)).toBe(true);
  });
});

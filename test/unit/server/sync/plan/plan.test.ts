import { describe, expect, it } from 'vitest';
import type { DeviceFile } from '../../../../../server/sync/plan/files.ts';
import { LONGEST_ITEM_MS, piecesOf } from '../../../../../server/sync/plan/pieces.ts';
import { placesOf } from '../../../../../server/sync/plan/places.ts';
import { planRequest } from '../../../../../server/sync/plan/planRequest.ts';
import { planRules, type RulePlan } from '../../../../../server/sync/plan/planRules.ts';
import { eventPosition, requestPosition, rulePosition } from '../../../../../server/sync/plan/positions.ts';
import { aSyncRule } from '../../../../support/sync/syncRecords.ts';

const MINUTE_MS = 60_000;
const NOW_MS = 100 * 86_400_000;
const START_MS = NOW_MS - 86_400_000;

function file(fromMinute: number, toMinute: number, change: Partial<DeviceFile> = {}): DeviceFile {
  return {
    channel: 1,
    stream: 'main',
    fromMs: START_MS + fromMinute * MINUTE_MS,
    toMs: START_MS + toMinute * MINUTE_MS,
    offsetMs: 0,
    hasAlarm: false,
    isGone: false,
    bytes: 1_000,
    ...change,
  };
}

const minutes = (fromMinute: number, toMinute: number) => {
  return { fromMs: START_MS + fromMinute * MINUTE_MS, toMs: START_MS + toMinute * MINUTE_MS };
};

function plan(change: Partial<RulePlan>, rules: readonly Parameters<typeof aSyncRule>[0][] = [{}]) {
  return planRules({
    nowMs: NOW_MS,
    incarnation: 7,
    rules: rules.map((rule, at) => ({ id: at + 1, memberGroup: 3, content: aSyncRule(rule) })),
    files: [],
    here: new Map(),
    taken: new Map(),
    events: [],
    ignition: [],
    due: new Map(),
    ...change,
  });
}

const spansOf = (items: readonly { readonly fromMs: number; readonly toMs: number }[]) =>
  items.map(({ fromMs, toMs }) => [(fromMs - START_MS) / MINUTE_MS, (toMs - START_MS) / MINUTE_MS]);

describe('what rules plan', () => {
  it('cuts long files, and makes no item of two', () => {
    expect(spansOf(piecesOf([file(0, 4), file(4, 8), file(8, 12), file(12, 32)]))).toEqual([
      [0, 4],
      [4, 8],
      [8, 12],
      [12, 22],
      [22, 32],
    ]);
  });

  it.each([
    [
      'all',
      { choice: 'all' },
      [
        [0, 10],
        [20, 30],
      ],
    ],
    ['alarms', { choice: 'alarms' }, [[20, 30]]],
    ['ignition', { choice: 'ignition' }, [[5, 10]]],
    ['gaps', { choice: 'gaps' }, [[25, 27]]],
    [
      'events of all types',
      { choice: 'events' },
      [
        [1, 2],
        [22, 23],
      ],
    ],
    ['events of a type', { choice: 'events', eventTypes: ['sos'] }, [[1, 2]]],
    ['a channel', { channels: [2] }, []],
    ['a stream', { stream: 'sub' }, []],
    ['a rule that is off', { enabled: false }, []],
  ] as const)('fetches %s', (_what, rule, spans) => {
    const change: Partial<RulePlan> = {
      files: [file(0, 10), file(20, 30, { hasAlarm: true })],
      ignition: [minutes(5, 15)],
      due: new Map([[1, [minutes(25, 27)]]]),
      events: [
        { type: 'sos', channel: 0, ...minutes(1, 2) },
        { type: 'speeding', channel: 1, ...minutes(22, 23) },
        { type: 'sos', channel: 2, ...minutes(24, 25) },
      ],
    };
    expect(spansOf(plan(change, [rule as Parameters<typeof aSyncRule>[0]]))).toEqual(spans);
  });

  it('leaves out what is here, what is an item already, what is gone and what is too old', () => {
    const change: Partial<RulePlan> = {
      files: [file(0, 10), file(10, 20, { isGone: true }), file(30, 40), file(-60 * 24 * 2, -60 * 24 * 2 + 5)],
      here: new Map([[1, [minutes(0, 4)]]]),
      taken: new Map([[1, [minutes(6, 8)]]]),
    };
    expect(spansOf(plan(change, [{ daysBack: 2 }]))).toEqual([
      [4, 6],
      [8, 10],
      [30, 40],
    ]);
  });

  it('fetches both parts of a gap that two files share, however short one is, and no gap that is short itself', () => {
    const seconds = (from: number, to: number) => ({ fromMs: START_MS + from * 1_000, toMs: START_MS + to * 1_000 });
    const missing = [seconds(292, 312), seconds(400, 408), seconds(596, 604), seconds(899, 950)];
    const files = [file(0, 5), file(5, 10), { ...file(10, 15), ...seconds(600.8, 900) }, file(15, 20)];
    const due = new Map([[1, missing]]);
    const items = plan({ files, due }, [{ choice: 'gaps' }]).map(({ fromMs, toMs }) => ({ fromMs, toMs }));
    expect(items).toEqual([seconds(292, 300), seconds(300, 312), seconds(900, 950)]);
  });

  it('gives a moment to the rule of the higher priority', () => {
    const change: Partial<RulePlan> = { files: [file(0, 10)], ignition: [minutes(2, 4)] };
    const items = plan(change, [{ priority: 5 }, { priority: 1, choice: 'ignition' }]);
    expect(items.map(({ rule }) => rule)).toEqual([2, 1, 1]);
    expect(spansOf(items)).toEqual([
      [2, 4],
      [0, 2],
      [4, 10],
    ]);
  });

  it('takes the better of two streams, and the device its own clock', () => {
    const files = [file(0, 6, { stream: 'sub', offsetMs: 5_000 }), file(2, 4, { offsetMs: 5_000 })];
    const items = plan({ files });
    expect(items.map(({ stream }) => stream)).toEqual(['sub', 'main', 'sub']);
    expect(items.every((item) => item.fromMs - item.deviceFromMs === 5_000)).toBe(true);
  });

  it('never plans a moment twice, nothing that is here, and nothing that is longer than ten minutes', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 200; round++) {
      const span = () => {
        const from = random(600);
        return [from, from + 1 + random(60)] as const;
      };
      const streams = ['main', 'sub', 'any'] as const;
      const files = Array.from({ length: 12 }, () => file(...span(), { stream: streams[random(3)] ?? 'any' }));
      const [hereFrom, hereTo] = span();
      const here = minutes(hereFrom, hereTo);
      const change = { files, here: new Map([[1, [here]]]), ignition: [minutes(...span())] };
      const items = plan(change, [{ priority: 3 }, { priority: 1, choice: 'ignition' }, { stream: 'sub' }]);
      const sorted = items.toSorted((left, right) => left.fromMs - right.fromMs);
      for (const [at, item] of sorted.entries()) {
        expect(item.toMs - item.fromMs).toBeLessThanOrEqual(LONGEST_ITEM_MS);
        expect(item.fromMs).toBeGreaterThanOrEqual(sorted[at - 1]?.toMs ?? 0);
        expect(item.fromMs < here.toMs && item.toMs > here.fromMs).toBe(false);
      }
      // A second plan finds nothing that the first one has left.
      expect(plan({ ...change, taken: new Map([[1, items]]) }, [{ priority: 3 }])).toEqual([]);
    }
  });

  it('puts people before events, events before rules, and the oldest first', () => {
    const order = [requestPosition(NOW_MS), eventPosition(5), rulePosition(1, NOW_MS), rulePosition(2, 1)];
    expect(order).toEqual(order.toSorted((left, right) => left - right));
    expect(order.every(Number.isSafeInteger)).toBe(true);
  });
});

describe('what members ask for', () => {
  const request = (change: Partial<Parameters<typeof planRequest>[0]>) =>
    planRequest({
      incarnation: 7,
      channel: 1,
      stream: 'any',
      memberGroup: 3,
      requestedBy: 'ann',
      eventId: 0,
      position: 1,
      ...minutes(0, 10),
      files: [],
      here: [],
      open: [],
      clock: { offsetAtGateway: () => 2_000 },
      ...change,
    }).map(({ state, ...item }) => [state, ...(spansOf([item])[0] ?? [])]);

  it.each([
    ['asks for what was never listed', {}, [['planned', 0, 10]]],
    ['is skipped when all is here', { here: [minutes(-1, 11)] }, [['skipped', 0, 10]]],
    ['asks for the rest', { here: [minutes(0, 4)] }, [['planned', 4, 10]]],
    ['is lost where the device has it no more', { files: [file(0, 10, { isGone: true })] }, [['lost', 0, 10]]],
    ['asks for nothing twice', { open: [minutes(0, 10)] }, []],
  ] as const)('%s', (_what, change, items) => {
    expect(request(change)).toEqual(items);
  });
});

it('every moment has one place at most, and what is nowhere and was due is missing', () => {
  const places = placesOf({
    window: minutes(0, 60),
    files: [file(0, 20), file(30, 40, { isGone: true })],
    here: [minutes(10, 25)],
    open: [minutes(0, 5)],
    should: [minutes(0, 50)],
  });
  expect(places.map((span) => [span.place, ...(spansOf([span])[0] ?? [])])).toEqual([
    ['due', 0, 5],
    ['device', 5, 10],
    ['both', 10, 20],
    ['server', 20, 25],
    ['missing', 25, 30],
    ['gone', 30, 40],
    ['missing', 40, 50],
  ]);
});

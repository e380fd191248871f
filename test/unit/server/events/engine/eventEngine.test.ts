import { beforeEach, describe, expect, it } from 'vitest';
import type { Report, ReportingDevice } from '../../../../../server/device/reportFeed.ts';
import { EventEngine } from '../../../../../server/events/engine/eventEngine.ts';
import type { StoredChange } from '../../../../../server/events/engine/eventWriter.ts';
import { localDay } from '../../../../../server/events/engine/localDay.ts';
import type { Place, TrackedEvent } from '../../../../../server/events/engine/trackedEvent.ts';
import { type Observation, Origin, type Signal } from '../../../../../server/events/signals/signal.ts';
import type { EventBatch, StoredEvent } from '../../../../../server/store/events/eventLog.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';

const START_MS = 1_795_000_000_000;
const BUS: ReportingDevice = { deviceId: 'BUS1', incarnation: 1, archiveNumber: 1 };
const ALARM: Signal = { type: 'emergency', unit: 0, area: 0, form: 'held', origin: Origin.AlarmWord };

describe('EventEngine', () => {
  let nowMs: number;
  let timers: { readonly delayMs: number; readonly run: () => void }[];
  let batches: EventBatch[];
  let kept: StoredEvent[];
  let stored: StoredChange[];
  let changed: TrackedEvent[];
  let says: readonly Signal[];
  let finds: readonly Signal[];
  let lastPlace: Place | undefined;
  let engine: EventEngine;

  beforeEach(() => {
    nowMs = START_MS;
    timers = [];
    batches = [];
    kept = [];
    stored = [];
    changed = [];
    says = [];
    finds = [];
    lastPlace = undefined;
    engine = createEngine();
  });

  function createEngine(): EventEngine {
    let lastId = 100;
    return new EventEngine({
      store: {
        write: async (batch) => {
          batches.push(structuredClone(batch));
          return batch.added.map(() => ++lastId);
        },
        tracked: async () => kept,
        begunBetween: async () => [],
      },
      observationOf: (report) => observationOf(report, says),
      ruleSignalsOf: () => finds,
      lastPlaceOf: () => lastPlace,
      settingsOf: () => ({ severity: 'critical', mergeMs: 60_000, eventsAnHour: 30, rule: 0 }),
      localDayOf: (_, atMs) => localDay(atMs, 'UTC'),
      hasChannel: (_, channel) => channel <= 2,
      now: () => nowMs,
      runAfter: (delayMs, run) => {
        const timer = { delayMs, run };
        timers.push(timer);
        return () => {
          timers = timers.filter((other) => other !== timer);
        };
      },
      onChanged: (event) => changed.push(event),
      onStored: (changes) => stored.push(...changes),
      onFault: (error) => {
        throw error;
      },
      onLimit: () => undefined,
    });
  }

  const report = (signals: readonly Signal[], { seconds = 0, isLive = true, latitude = 25 } = {}): void => {
    says = signals;
    void engine.handle(position(START_MS + seconds * 1_000, { isLive, latitude }));
  };
  /** Runs the shortest timer, and waits for what it began. */
  const tick = async (): Promise<void> => {
    timers.sort((left, right) => left.delayMs - right.delayMs);
    timers.shift()?.run();
    for (let turn = 0; turn < 8; turn++) await Promise.resolve();
  };

  it('stores an event with the place of the report that began it, and ends it at that of the one that ended it', async () => {
    report([ALARM], { latitude: 25 });
    await tick();
    report([], { seconds: 30, latitude: 26 });
    await tick();
    expect(batches).toMatchObject([
      { added: [{ type: 'emergency', place: { latitude: 25, longitude: 121 }, edition: '2019', endAtMs: 0 }] },
      { added: [], changed: [{ id: 101, endAtMs: START_MS + 30_000, endPlace: { latitude: 26 } }] },
    ]);
    expect(stored.map(({ kind }) => kind)).toEqual(['begun', 'ended']);
  });

  it('tells the database once a minute that an event still lasts', async () => {
    report([ALARM]);
    await tick();
    for (let seconds = 10; seconds < 180; seconds += 10) {
      report([ALARM], { seconds });
      if (timers.some(({ delayMs }) => delayMs < 10_000)) await tick();
    }
    expect(batches.slice(1).map(({ changed: [event] }) => event?.lastSeenAtMs)).toEqual([
      START_MS + 60_000,
      START_MS + 120_000,
    ]);
  });

  it('tells of a change at once, before it is stored', () => {
    report([ALARM]);
    expect(changed.map(({ id, type }) => [id, type])).toEqual([[undefined, 'emergency']]);
    expect(engine.begunCount('critical')).toBe(1);
    expect([...engine.lasting()]).toHaveLength(1);
  });

  it('leaves out channels that the device does not have', async () => {
    const loss = { ...ALARM, type: 'video-loss', origin: Origin.VideoLoss };
    report([
      { ...loss, unit: 2 },
      { ...loss, unit: 3 },
      { ...ALARM, type: 'storage-fault', unit: 9 },
    ]);
    await tick();
    expect(batches[0]?.added.map(({ type, unit }) => [type, unit])).toEqual([
      ['video-loss', 2],
      ['storage-fault', 9],
    ]);
  });

  it('names the driver whose card is in', async () => {
    void engine.handle(driverCard(1, '陳大文'));
    report([ALARM]);
    await tick();
    expect(batches).toMatchObject([{ added: [{ driver: '陳大文' }] }]);
  });

  it('takes up what lasted before the start: it neither ends nor begins by it', async () => {
    kept = [{ ...STORED, id: 7 }];
    await engine.start((archiveNumber) => (archiveNumber === 1 ? BUS : undefined));
    expect([...engine.lasting()]).toMatchObject([{ id: 7 }]);
    report([ALARM], { seconds: 5 });
    expect(engine.waitingCount).toBe(0);
    report([], { seconds: 6 });
    await tick();
    expect(batches).toMatchObject([{ added: [], changed: [{ id: 7, endAtMs: START_MS + 6_000 }] }]);
  });

  it('ends what lasted of a device that went meanwhile', async () => {
    kept = [{ ...STORED, id: 7, archiveNumber: 9 }];
    await engine.start(() => undefined);
    await tick();
    expect(batches).toMatchObject([{ changed: [{ id: 7, endAtMs: STORED.lastSeenAtMs, origins: 0 }] }]);
  });

  it('ends what lasts of a device that is forgotten', async () => {
    report([ALARM], { seconds: 2 });
    await tick();
    engine.forget('BUS1');
    await tick();
    expect(batches[1]).toMatchObject({ changed: [{ endAtMs: START_MS + 2_000 }] });
    expect([...engine.lasting()]).toEqual([]);
  });

  it('keeps what a member has closed apart from what comes next', async () => {
    report([ALARM]);
    await tick();
    engine.setAnswered(1, 101, true);
    report([], { seconds: 10 });
    report([ALARM], { seconds: 20 });
    await tick();
    expect(batches[1]).toMatchObject({ added: [{ type: 'emergency' }], changed: [{ id: 101 }] });
  });

  describe('of late reports', () => {
    it('marks their events, and ends what they left open once no more come', async () => {
      await engine.start(() => undefined);
      report([ALARM], { seconds: -600, isLive: false });
      report([ALARM], { seconds: -590, isLive: false });
      await tick();
      expect(batches).toMatchObject([{ added: [{ isLate: true, beginAtMs: START_MS - 600_000, endAtMs: 0 }] }]);
      nowMs += 60_000;
      await tick();
      await tick();
      expect(batches[1]).toMatchObject({ changed: [{ endAtMs: START_MS - 590_000 }] });
    });

    it('does not make a second event of what was reported as it happened', async () => {
      report([ALARM]);
      report([], { seconds: 20 });
      report([ALARM], { seconds: 10, isLive: false });
      await tick();
      expect(batches).toHaveLength(1);
      expect(batches[0]?.added).toHaveLength(1);
    });

    it('leaves an event that lasts as it is', () => {
      report([ALARM]);
      report([], { seconds: -300, isLive: false });
      expect([...engine.lasting()]).toHaveLength(1);
    });
  });

  it('ends an alarm whose end was lost, also where it had come back within the merge window', async () => {
    const lane = (form: Signal['form']): Signal => ({
      ...ALARM,
      type: 'lane-departure',
      form,
      origin: Origin.ActiveSafety,
    });
    await engine.start(() => undefined);
    const check = () => {
      for (const timer of timers.filter(({ delayMs }) => delayMs === 10_000)) timer.run();
    };
    report([lane('begin')]);
    report([lane('end')], { seconds: 5 });
    nowMs += 10_000;
    check();
    report([lane('begin')], { seconds: 30 });
    nowMs = START_MS + 700_000;
    check();
    expect([...engine.lasting()]).toEqual([]);
    expect(changed.at(-1)).toMatchObject({ count: 2, endAtMs: START_MS + 30_000 });
  });

  it('ends a late event of a rule where the late reports were, and names no driver who came after it', async () => {
    const idling: Signal = { ...ALARM, type: 'idling', form: 'begin', origin: Origin.Rule };
    report([], { seconds: -1, latitude: 30 });
    void engine.handle(driverCard(1, 'Chen'));
    report([idling], { seconds: -600, isLive: false, latitude: 25 });
    report([], { seconds: -590, isLive: false, latitude: 26 });
    const endAtMs = START_MS - 590_000;
    const signals = [{ ...idling, form: 'end' as const }];
    engine.observe(BUS, { atMs: endAtMs, deviceTimeMs: endAtMs, isLate: true, covered: 0, signals });
    await engine.close();
    expect(batches).toMatchObject([{ added: [{ driver: '', endAtMs, endPlace: { latitude: 26 } }] }]);
  });

  it('counts an event of a rule that goes on over midnight in the day when it began', async () => {
    const midnightMs = Date.UTC(2026, 10, 24);
    const idling = { ...ALARM, type: 'idling', origin: Origin.Rule } as const;
    const observe = (atMs: number, signal: Signal) =>
      engine.observe(BUS, { atMs, deviceTimeMs: atMs, isLate: false, covered: 0, signals: [signal] });
    // The rule waits before it says so: it is another day by then.
    observe(midnightMs + 60_000, { ...idling, form: 'begin', sinceMs: midnightMs - 240_000 });
    await tick();
    observe(midnightMs + 120_000, { ...idling, form: 'end' });
    await engine.close();
    expect(batches.flatMap(({ days }) => days)).toEqual([
      { archiveNumber: 1, type: 'idling', day: 20_261_123, count: 1, seconds: 0 },
      { archiveNumber: 1, type: 'idling', day: 20_261_123, count: 0, seconds: 360 },
    ]);
  });

  it('raises events of the gateway itself, without a device', async () => {
    engine.raise({ type: 'disk-full', form: 'begin' });
    await tick();
    expect(batches).toMatchObject([{ added: [{ archiveNumber: 0, source: 'system', type: 'disk-full', driver: '' }] }]);
    engine.raise({ type: 'disk-full', form: 'end' });
    await tick();
    expect(batches[1]).toMatchObject({ changed: [{ endAtMs: START_MS }] });
  });
});

const NOWHERE = { latitude: 0, longitude: 0, speedKmh: 0, headingDeg: 0 };
const STORED: StoredEvent = {
  id: 0,
  archiveNumber: 1,
  type: 'emergency',
  unit: 0,
  area: 0,
  severity: 'critical',
  source: 'terminal',
  beginAtMs: START_MS - 60_000,
  deviceTimeMs: START_MS - 60_000,
  place: NOWHERE,
  driver: '',
  rule: 0,
  isLate: false,
  edition: '2019',
  origins: Origin.AlarmWord,
  endAtMs: 0,
  lastSeenAtMs: START_MS - 10_000,
  endPlace: NOWHERE,
  count: 1,
  value: undefined,
  limit: undefined,
  alarmMark: '',
  isAnswered: false,
};

function position(atMs: number, { isLive, latitude }: { readonly isLive: boolean; readonly latitude: number }): Report {
  return {
    kind: 'position',
    device: BUS,
    edition: '2019',
    position: {
      ...BUS,
      deviceTimeMs: wallMs(atMs),
      receivedAtMs: wallMs(atMs),
      latitude,
      longitude: 121,
      altitudeM: 0,
      speedKmh: 30,
      headingDeg: 0,
      alarmBits: 0,
      statusBits: 0,
      extra: {},
    },
    items: [],
    details: {},
    isLive,
  };
}

function driverCard(status: number, name: string): Report {
  const card = { name, licence: '', issuer: '', validUntil: '20300101' };
  const body = { kind: 'driverIdentity', status, time: wallMs(START_MS), readResult: 0, card } as const;
  return { kind: 'message', device: BUS, body, receivedAtMs: START_MS };
}

function observationOf(report: Report, signals: readonly Signal[]): Observation {
  if (report.kind !== 'position') return { ...SILENT, signals: [] };
  const atMs = report.isLive ? report.position.receivedAtMs : report.position.deviceTimeMs;
  return { atMs, deviceTimeMs: atMs, isLate: !report.isLive, covered: Origin.AlarmWord, signals };
}

const SILENT = { atMs: START_MS, deviceTimeMs: START_MS, isLate: false, covered: 0 } as const;

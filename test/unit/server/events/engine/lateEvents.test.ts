import { beforeEach, describe, expect, it } from 'vitest';
import { DeviceEvents } from '../../../../../server/events/engine/deviceEvents.ts';
import type { TrackingContext } from '../../../../../server/events/engine/eventTracker.ts';
import { LATE_EVENTS_LIMIT } from '../../../../../server/events/engine/lateQuota.ts';
import { NOWHERE, type TrackedEvent } from '../../../../../server/events/engine/trackedEvent.ts';
import { type Observation, Origin, type Signal } from '../../../../../server/events/signals/signal.ts';
import type { Limit } from '../../../../../server/limits/limit.ts';

const START_MS = 1_795_000_000_000;
const HOUR_S = 3_600;
const BUS = { deviceId: 'BUS1', incarnation: 1, archiveNumber: 1 };
const ALARM: Signal = { type: 'emergency', unit: 0, area: 0, form: 'held', origin: Origin.AlarmWord };
const CONTEXT: TrackingContext = {
  device: BUS,
  place: NOWHERE,
  driver: '',
  edition: '2019',
  settingsOf: () => ({ severity: 'critical', mergeMs: 60_000, eventsAnHour: 30, rule: 0 }),
  localDayOf: () => 20_261_123,
};

describe('late reports of a device', () => {
  let limits: Limit[];
  let events: DeviceEvents;
  let begun: Set<TrackedEvent>;
  beforeEach(() => {
    limits = [];
    begun = new Set();
    events = new DeviceEvents(BUS, (limit) => limits.push(limit));
  });
  const say = (seconds: number, signals: readonly Signal[], { nowS = 0, isLate = true } = {}): string[] => {
    const changes = events.observe(observation(seconds, { signals, isLate }), CONTEXT, START_MS + nowS * 1_000);
    for (const { kind, event } of changes) if (kind === 'begun') begun.add(event);
    return changes.map(({ kind }) => kind);
  };
  const begins = () => [...begun].map(({ beginAtMs }) => (beginAtMs - START_MS) / 1_000);
  /** A package with two alarms, one of which ends in it. */
  const tellPackage = (fromS: number) => {
    say(fromS, [ALARM]);
    say(fromS + 10, []);
    say(fromS + 300, [ALARM]);
    return say(fromS + 310, [ALARM]);
  };

  it('that are told again make no second event, and end none', () => {
    tellPackage(-1_000);
    tellPackage(-1_000);
    expect(begins()).toEqual([-1_000, -700]);
    expect([...begun].map(({ count, origins }) => [count, origins])).toEqual([
      [1, 0],
      [1, 1],
    ]);
    expect(say(-680, [])).toEqual(['ended']);
  });

  it('of an older time than those before make events of their own', () => {
    tellPackage(-1_000);
    tellPackage(-5_000);
    expect(begins()).toEqual([-1_000, -700, -5_000, -4_700]);
    expect([...begun].map(({ endAtMs, lastSeenAtMs }) => Math.max(endAtMs, lastSeenAtMs) - START_MS)).toEqual([
      -990_000, -690_000, -4_990_000, -4_690_000,
    ]);
  });

  it('begin so many events an hour by the clock of the gateway, and are counted then', () => {
    const spread = (at: number) => say(at * HOUR_S - 2_000 * HOUR_S, [{ ...ALARM, form: 'momentary' }]);
    for (let at = 0; at < LATE_EVENTS_LIMIT.max + 100; at++) spread(at);
    expect(begun.size).toBe(LATE_EVENTS_LIMIT.max);
    expect([...begun].at(-1)?.count).toBe(101);
    expect(limits).toContain(LATE_EVENTS_LIMIT);
    // Another type begins one all the same.
    say(-100, [{ ...ALARM, type: 'collision', form: 'momentary' }]);
    expect([...begun].at(-1)?.type).toBe('collision');
    say(-50, [{ ...ALARM, form: 'momentary' }], { nowS: HOUR_S });
    expect(begun.size).toBe(LATE_EVENTS_LIMIT.max + 2);
  });

  it('name the driver only where he was there already', () => {
    events.setDriver('Chen', START_MS - 100_000);
    expect(events.driverOf(observation(-200))).toBe('');
    expect(events.driverOf(observation(-50))).toBe('Chen');
    expect(events.driverOf(observation(-200, { isLate: false }))).toBe('Chen');
  });
});

function observation(seconds: number, change: Partial<Observation> = {}): Observation {
  const atMs = START_MS + seconds * 1_000;
  return { atMs, deviceTimeMs: atMs, isLate: true, covered: Origin.AlarmWord, signals: [], ...change };
}

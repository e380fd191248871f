import { beforeEach, describe, expect, it } from 'vitest';
import { EventTracker, TRACKS_LIMIT, type TrackingContext } from '../../../../../server/events/engine/eventTracker.ts';
import type { TrackedEvent } from '../../../../../server/events/engine/trackedEvent.ts';
import type { TypeSettings } from '../../../../../server/events/engine/typeSettings.ts';
import { type Observation, Origin, type Signal } from '../../../../../server/events/signals/signal.ts';
import type { Limit } from '../../../../../server/limits/limit.ts';
import { createRandom, pick } from '../../../../support/fuzz.ts';

const START_MS = 1_795_000_000_000;
const SETTINGS: TypeSettings = { severity: 'major', mergeMs: 60_000, eventsAnHour: 30, rule: 7 };
const PLACE = { latitude: 25, longitude: 121, speedKmh: 40, headingDeg: 90 };

const CONTEXT: TrackingContext = {
  device: { deviceId: 'BUS1', incarnation: 1, archiveNumber: 1 },
  place: PLACE,
  driver: 'Chen',
  edition: '2019',
  settingsOf: (type) => (type === 'disabled' ? undefined : SETTINGS),
  localDayOf: () => 20_261_123,
};

const held = (type: string, change: Partial<Signal> = {}): Signal => ({
  type,
  unit: 0,
  area: 0,
  form: 'held',
  origin: Origin.AlarmWord,
  ...change,
});

describe('EventTracker', () => {
  let tracker: EventTracker;
  let limits: Limit[];
  /** What a position says, so many seconds after the start. */
  const say = (seconds: number, signals: readonly Signal[], change: Partial<Observation> = {}) =>
    tracker.observe(observation(seconds, signals, change), CONTEXT);
  const kinds = (changes: ReturnType<typeof say>): string[] =>
    changes.map(({ kind, event }) => `${kind} ${event.type}`);

  beforeEach(() => {
    limits = [];
    tracker = new EventTracker((limit) => limits.push(limit));
  });

  it('takes an alarm that no longer names its area for that of the area', () => {
    say(0, [held('area-crossed', { area: 9, value: 0 })]);
    expect(say(5, [held('area-crossed')])).toMatchObject([{ kind: 'seen', event: { area: 9 } }]);
    expect(kinds(say(10, []))).toEqual(['ended area-crossed']);
  });

  it('begins an event with the first report of an alarm, and goes on with it while it is reported', () => {
    const [begun] = say(0, [held('speeding', { value: 92, limit: 80 })]);
    expect(begun).toMatchObject({
      kind: 'begun',
      event: {
        type: 'speeding',
        severity: 'major',
        source: 'terminal',
        beginAtMs: START_MS,
        endAtMs: 0,
        place: PLACE,
        driver: 'Chen',
        rule: 0,
        count: 1,
        value: 92,
        limit: 80,
        localDay: 20_261_123,
      },
    });
    const [seen] = say(10, [held('speeding', { value: 88 })]);
    expect(seen).toMatchObject({ kind: 'seen', event: { lastSeenAtMs: START_MS + 10_000, value: 92, count: 1 } });
    expect(seen?.event).toBe(begun?.event);
  });

  it('ends it with the first report that covers its origin without it', () => {
    say(0, [held('speeding')]);
    expect(say(5, [], { covered: Origin.VideoLoss })).toEqual([]);
    const [ended] = say(10, []);
    expect(ended).toMatchObject({ kind: 'ended', event: { endAtMs: START_MS + 10_000, origins: 0 } });
    expect(say(20, [])).toEqual([]);
  });

  it('keeps one event for each unit and each area', () => {
    const loss = (unit: number) => held('video-loss', { unit, origin: Origin.VideoLoss });
    expect(kinds(say(0, [loss(1), loss(2), held('area-crossed', { area: 9 })]))).toEqual([
      'begun video-loss',
      'begun video-loss',
      'begun area-crossed',
    ]);
    const changes = say(1, [loss(2)], { covered: Origin.VideoLoss });
    expect(changes.map(({ kind, event }) => [kind, event.unit])).toEqual([
      ['ended', 1],
      ['seen', 2],
    ]);
  });

  it('ends what several origins signal with the last of them', () => {
    say(0, [held('fatigue'), held('fatigue', { origin: Origin.AbnormalDriving })], { covered: ALL });
    expect(say(1, [held('fatigue', { origin: Origin.AbnormalDriving })], { covered: ALL })).toMatchObject([
      { kind: 'seen' },
    ]);
    expect(say(2, [], { covered: Origin.AlarmWord })).toEqual([]);
    expect(kinds(say(3, [], { covered: Origin.AbnormalDriving }))).toEqual(['ended fatigue']);
  });

  it('continues the event of an alarm that returns within the merge window, and begins another one later', () => {
    say(0, [held('speeding')]);
    say(10, []);
    const [repeated] = say(69, [held('speeding')]);
    expect(repeated).toMatchObject({ kind: 'repeated', event: { count: 2, endAtMs: 0, beginAtMs: START_MS } });
    say(80, []);
    const [another] = say(140, [held('speeding')]);
    expect(another).toMatchObject({ kind: 'begun', event: { count: 1, beginAtMs: START_MS + 140_000 } });
  });

  it('begins another event where a member has closed the last one', () => {
    const [begun] = say(0, [held('emergency')]);
    if (begun !== undefined) begun.event.isAnswered = true;
    expect(kinds(say(5, [held('emergency')]))).toEqual(['seen emergency']);
    say(10, []);
    expect(kinds(say(20, [held('emergency')]))).toEqual(['begun emergency']);
  });

  it('ends a momentary event at once, and merges the next one', () => {
    const brake = held('harsh-braking', { form: 'momentary', origin: Origin.ActiveSafety });
    expect(say(0, [brake])).toMatchObject([{ kind: 'begun', event: { endAtMs: START_MS, origins: 0 } }]);
    expect(say(30, [brake])).toMatchObject([{ kind: 'repeated', event: { count: 2, endAtMs: START_MS + 30_000 } }]);
    expect(say(95, [brake])).toMatchObject([{ kind: 'begun', event: { count: 1 } }]);
  });

  it('lets an event that began by itself last until its end is said', () => {
    const lane = (form: Signal['form']) => held('lane-departure', { form, origin: Origin.ActiveSafety });
    say(0, [lane('begin')]);
    expect(say(5, [], { covered: ALL & ~Origin.ActiveSafety })).toEqual([]);
    expect(kinds(say(8, [lane('end')]))).toEqual(['ended lane-departure']);
    expect(say(9, [lane('end')])).toEqual([]);
  });

  it('ends one whose end was lost after ten minutes, at the time it was last heard of', () => {
    say(0, [held('lane-departure', { form: 'begin', origin: Origin.ActiveSafety })]);
    expect(tracker.expire(START_MS + 599_000)).toEqual({ changes: [], nextMs: START_MS + 600_000 });
    expect(tracker.expire(START_MS + 600_000)).toMatchObject({
      changes: [{ kind: 'ended', event: { endAtMs: START_MS } }],
      nextMs: undefined,
    });
    expect(tracker.expire(START_MS + 600_001).changes).toEqual([]);
  });

  it('dates an event back to when its rule saw it begin, and names the rule', () => {
    const since = held('idling', { form: 'begin', origin: Origin.Rule, sinceMs: START_MS - 300_000 });
    expect(say(0, [since])).toMatchObject([{ event: { beginAtMs: START_MS - 300_000, source: 'rule', rule: 7 } }]);
  });

  it('looks again at one whose end was lost, as long as another report says it too', () => {
    const explicit = { form: 'begin', origin: Origin.ActiveSafety } as const;
    say(0, [held('fatigue'), held('fatigue', explicit)]);
    say(900, [held('fatigue')]);
    expect(tracker.expire(START_MS + 900_000)).toEqual({ changes: [], nextMs: START_MS + 1_500_000 });
    expect(say(910, [])).toEqual([]);
    expect(tracker.expire(START_MS + 1_500_000)).toMatchObject({ changes: [{ kind: 'ended' }], nextMs: undefined });
  });

  it('ends the events of a type that is turned off with the next report', () => {
    const off: TrackingContext = { ...CONTEXT, settingsOf: () => undefined };
    say(0, [held('speeding')]);
    expect(kinds(tracker.observe(observation(5, [held('speeding')]), off))).toEqual(['ended speeding']);
    expect(tracker.observe(observation(6, [held('speeding')]), off)).toEqual([]);
  });

  it('counts a position that is told again once', () => {
    const brake = held('harsh-braking', { form: 'momentary', origin: Origin.ActiveSafety });
    say(0, [brake]);
    const again = say(12, [brake], { deviceTimeMs: START_MS });
    expect(again).toMatchObject([{ kind: 'seen', event: { count: 1, endAtMs: START_MS } }]);
    expect(say(20, [brake])).toMatchObject([{ kind: 'repeated', event: { count: 2 } }]);
  });

  it('begins another event where the time has gone back further than the merge window', () => {
    say(0, [held('speeding')]);
    say(10, []);
    expect(say(-50, [held('speeding')])).toMatchObject([{ kind: 'repeated', event: { count: 2 } }]);
    say(-45, []);
    expect(say(-3_600, [held('speeding')])).toMatchObject([
      { kind: 'begun', event: { beginAtMs: START_MS - 3_600_000, count: 1 } },
    ]);
  });

  it('raises nothing of a disabled type', () => {
    expect(say(0, [held('disabled')])).toEqual([]);
    expect(tracker.size).toBe(0);
  });

  describe('in a storm', () => {
    const flap = (at: number, unit = 0) => {
      const changes = say(at, [held('speeding', { unit })]);
      say(at + 1, []);
      return changes;
    };

    it('counts what comes beyond the limit of an hour in the latest event', () => {
      const begun = Array.from({ length: 30 }, (_, at) => flap(at * 70)[0]);
      expect(begun.every((change) => change?.kind === 'begun')).toBe(true);
      const latest = begun.at(-1)?.event;
      for (const count of [2, 3, 4]) {
        const [beyond] = flap((28 + count) * 70);
        expect(beyond).toMatchObject({ kind: 'repeated', event: { count } });
        expect(beyond?.event).toBe(latest);
      }
    });

    it('begins another event once a member has closed the one that counts', () => {
      const begun = Array.from({ length: 30 }, (_, at) => flap(at * 70)[0]);
      const latest = begun.at(-1)?.event as TrackedEvent;
      latest.isAnswered = true;
      const [another] = flap(31 * 70);
      expect(another).toMatchObject({ kind: 'begun', event: { count: 1 } });
      expect(flap(33 * 70)[0]?.event).toBe(another?.event);
    });

    it('begins events again when an hour has passed', () => {
      for (let at = 0; at < 35; at++) flap(at * 70);
      expect(flap(35 * 70 + 3_600)).toMatchObject([{ kind: 'begun' }]);
    });

    it('shares the event among units, and ends it when the last of them is silent', () => {
      for (let at = 0; at < 30; at++) flap(at * 70);
      const [first] = say(3_000, [held('speeding', { unit: 1 }), held('speeding', { unit: 2 })]);
      expect(first).toMatchObject({ kind: 'repeated', event: { count: 3 } });
      // Both are known now: the next report counts nothing.
      expect(kinds(say(3_001, [held('speeding', { unit: 1 }), held('speeding', { unit: 2 })]))).toEqual([
        'seen speeding',
        'seen speeding',
      ]);
      expect(kinds(say(3_002, [held('speeding', { unit: 2 })]))).toEqual(['seen speeding']);
      expect(kinds(say(3_003, []))).toEqual(['ended speeding']);
      expect(first?.event.count).toBe(3);
    });
  });

  it('takes up stored events: neither ends nor begins one again', () => {
    const [begun] = say(0, [held('power-lost')]);
    const stored: TrackedEvent = { ...(begun?.event as TrackedEvent), id: 5 };
    tracker = new EventTracker((limit) => limits.push(limit));
    tracker.resume([stored]);
    expect(say(100, [held('power-lost')])).toMatchObject([{ kind: 'seen', event: { id: 5, count: 1 } }]);
    expect(say(110, [])).toMatchObject([{ kind: 'ended', event: { id: 5, endAtMs: START_MS + 110_000 } }]);
  });

  it('keeps so many conditions, and lets the one go that ended first', () => {
    const areas = Array.from({ length: TRACKS_LIMIT.max }, (_, area) => held('area-crossed', { area: area + 1 }));
    const many: TrackingContext = { ...CONTEXT, settingsOf: () => ({ ...SETTINGS, eventsAnHour: 1_000 }) };
    tracker.observe(observation(0, areas), many);
    expect(tracker.observe(observation(1, [...areas, held('area-crossed', { area: 999 })]), many)).toHaveLength(
      TRACKS_LIMIT.max,
    );
    expect(limits).toEqual([TRACKS_LIMIT]);
    tracker.observe(observation(2, areas.slice(1)), many);
    const changes = tracker.observe(observation(3, [...areas.slice(1), held('area-crossed', { area: 999 })]), many);
    expect(changes.filter(({ kind }) => kind === 'begun').map(({ event }) => event.area)).toEqual([999]);
    expect(tracker.size).toBe(TRACKS_LIMIT.max);
  });

  it('has room for critical ones however many others last', () => {
    const areas = Array.from({ length: TRACKS_LIMIT.max }, (_, area) => held('area-crossed', { area: area + 1 }));
    const many: TrackingContext = {
      ...CONTEXT,
      settingsOf: (type) => ({
        ...SETTINGS,
        severity: type === 'emergency' ? 'critical' : 'minor',
        eventsAnHour: 1_000,
      }),
    };
    tracker.observe(observation(0, areas), many);
    const changes = tracker.observe(observation(1, [...areas, held('emergency')]), many);
    expect(changes.filter(({ kind }) => kind === 'begun').map(({ event }) => event.type)).toEqual(['emergency']);
    expect(limits).toEqual([]);
  });

  it('frees the conditions of a storm that have ended while its event lasts', () => {
    const storm: TrackingContext = { ...CONTEXT, settingsOf: () => ({ ...SETTINGS, eventsAnHour: 1 }) };
    const areas = Array.from({ length: TRACKS_LIMIT.max }, (_, area) => held('area-crossed', { area: area + 1 }));
    tracker.observe(observation(0, areas), storm);
    tracker.observe(observation(1, areas.slice(-1)), storm);
    const [, beyond] = tracker.observe(
      observation(2, [...areas.slice(-1), held('area-crossed', { area: 999 })]),
      storm,
    );
    expect(beyond).toMatchObject({ kind: 'repeated', event: { count: TRACKS_LIMIT.max + 1 } });
    expect(limits).toEqual([]);
  });

  it('begins another event with each report of a type that merges none, in the same moment too', () => {
    const context: TrackingContext = { ...CONTEXT, settingsOf: () => ({ ...SETTINGS, mergeMs: 0 }) };
    const level = (value: number) => held('data-plan-level', { form: 'momentary', origin: Origin.System, value });
    const told = [95, 100].map((value) => tracker.observe(observation(0, [level(value)], { covered: 0 }), context));
    expect(told.map((changes) => changes.map(({ kind }) => kind))).toEqual([['begun'], ['begun']]);
  });

  it('begins at most so many events an hour, and counts every onset, whatever is said', () => {
    const random = createRandom(7);
    const limit = 5;
    const context: TrackingContext = {
      ...CONTEXT,
      settingsOf: () => ({ ...SETTINGS, mergeMs: 5_000, eventsAnHour: limit }),
    };
    const isUp = new Map<string, boolean>();
    const begins: number[] = [];
    const events = new Set<TrackedEvent>();
    let onsets = 0;
    let seconds = 0;
    for (let step = 0; step < 3_000; step++) {
      seconds += 1 + random(60);
      const signals: Signal[] = [];
      for (const unit of [1, 2, 3]) {
        const isOn = random(3) === 0;
        if (isOn && isUp.get(`${unit}`) !== true) onsets++;
        isUp.set(`${unit}`, isOn);
        if (isOn) signals.push(held('video-loss', { unit }));
      }
      for (const { kind, event } of tracker.observe(observation(seconds, signals), context)) {
        events.add(event);
        if (kind === 'begun') begins.push(event.beginAtMs);
      }
      const lately = begins.filter((beginMs) => beginMs > START_MS + (seconds - 3_600) * 1_000);
      expect(lately.length).toBeLessThanOrEqual(limit);
    }
    expect([...events].reduce((sum, { count }) => sum + count, 0)).toBe(onsets);
  });

  it('never has two events of one condition that last, whatever is said', () => {
    const random = createRandom(42);
    const open = new Set<TrackedEvent>();
    for (let at = 0; at < 5_000; at++) {
      const signals = Array.from({ length: random(4) }, () =>
        held(pick(['speeding', 'video-loss'], random), {
          unit: random(3),
          form: pick(FORMS, random),
          origin: pick([Origin.AlarmWord, Origin.ActiveSafety], random),
        }),
      );
      for (const { event } of say(at * 20 + random(20), signals, { covered: pick([ALL, ALL, 0], random) })) {
        if (event.origins !== 0) open.add(event);
        else open.delete(event);
        expect(event.endAtMs === 0).toBe(event.origins !== 0);
        expect(event.endAtMs === 0 || event.endAtMs >= event.beginAtMs).toBe(true);
      }
      const conditions = [...open].map(({ type, unit, area }) => `${type}/${unit}/${area}`);
      expect(new Set(conditions).size).toBe(conditions.length);
    }
    expect(open.size).toBeLessThanOrEqual(6);
  });
});

const ALL = Origin.AlarmWord | Origin.AbnormalDriving | Origin.VideoLoss | Origin.ActiveSafety;
const FORMS = ['held', 'begin', 'end', 'momentary'] as const;

function observation(seconds: number, signals: readonly Signal[], change: Partial<Observation> = {}): Observation {
  const atMs = START_MS + seconds * 1_000;
  return { atMs, deviceTimeMs: atMs, isLate: false, covered: Origin.AlarmWord, signals, ...change };
}

import { describe, expect, it } from 'vitest';
import { defaultValuesOf } from '../../../../../server/events/config/ruleDefaults.ts';
import { isPreviewed, PREVIEWS_LIMIT, RulePreviews } from '../../../../../server/events/preview/rulePreviews.ts';
import type { Position } from '../../../../../server/store/fleet/positions.ts';
import type { EventRuleSettings } from '../../../../../shared/protocol/events/eventRules.ts';
import { RULE_CODES, type RuleCode } from '../../../../../shared/protocol/events/ruleSettings.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';
import { storedType } from '../config/storedType.ts';

const NOW_MS = Date.UTC(2026, 10, 23, 12);
const START_MS = NOW_MS - 86_400_000;
/** Ignition on, with a fix. */
const DRIVING = 3;

/** `at`: seconds from the start. Received a second later unless it was late. */
function position(at: number, speedKmh: number, rest: Partial<Position> = {}): Position {
  return {
    deviceId: 'BUS1',
    incarnation: 1,
    deviceTimeMs: wallMs(START_MS + at * 1_000),
    receivedAtMs: wallMs(START_MS + at * 1_000 + 1_000),
    latitude: 25 + at / 1e6,
    longitude: 121.5,
    altitudeM: 0,
    speedKmh,
    headingDeg: 0,
    alarmBits: 0,
    statusBits: DRIVING,
    extra: {},
    ...rest,
  };
}

/** Every ten seconds, for a minute each. */
function drive(...speeds: readonly number[]): Position[] {
  return speeds.flatMap((speedKmh, minute) =>
    [0, 10, 20, 30, 40, 50].map((second) => position(minute * 60 + second, speedKmh)),
  );
}

function previewsOf(stored: readonly Position[]) {
  const parts: number[] = [];
  const limits: string[] = [];
  let turns = 0;
  const inRange = ({ fromMs, toMs }: { fromMs: number; toMs: number }) =>
    stored.filter(({ deviceTimeMs }) => deviceTimeMs >= fromMs && deviceTimeMs < toMs);
  const previews = new RulePreviews({
    positions: {
      scan: async function* (_, range, batchSize) {
        const all = inRange(range);
        for (let start = 0; start < all.length; start += batchSize) {
          const part = all.slice(start, start + batchSize);
          parts.push(part.length);
          yield part;
        }
      },
      timeOfLatest: async (_, range, count) => inRange(range).at(-count)?.deviceTimeMs,
    },
    now: () => NOW_MS,
    nextTurn: async () => void turns++,
    onLimit: ({ name }) => void limits.push(name),
  });
  const preview = (code: RuleCode, settings: EventRuleSettings = {}, now: EventRuleSettings = {}) => {
    const defaults = defaultValuesOf(storedType(code));
    const values = { ...defaults, ...settings };
    return previews.preview({
      code,
      device: { deviceId: 'BUS1', timeZone: 'UTC' },
      values,
      valuesNow: { ...defaults, ...now },
    });
  };
  return { preview, parts, limits, turns: () => turns };
}

describe('a preview', () => {
  it('counts the events of the settings and of those that hold now', async () => {
    const { preview } = previewsOf(drive(50, 85, 50, 50, 50, 110, 50));
    expect(await preview('speeding', { threshold: 80, clearThreshold: 75, mergeSeconds: 0 })).toEqual({
      events: 2,
      eventsNow: 1,
      positions: 42,
      isPartial: false,
      begins: [START_MS + 301_000, START_MS + 61_000],
    });
  });

  it('continues an event within the merge window, and counts beyond the limit of an hour in the latest', async () => {
    const { preview } = previewsOf(drive(110, 50, 110, 50, 110, 50, 110));
    const events = async (settings: EventRuleSettings) => (await preview('speeding', settings))?.events;
    expect(await events({ mergeSeconds: 0 })).toBe(4);
    expect(await events({ mergeSeconds: 120 })).toBe(1);
    expect(await events({ mergeSeconds: 0, eventsAnHour: 2 })).toBe(2);
  });

  it('is of nothing where the type is off', async () => {
    const { preview } = previewsOf(drive(110));
    expect(await preview('speeding', { enabled: false })).toMatchObject({ events: 0, eventsNow: 1, begins: [] });
  });

  it('finds what a rule waits for, up to now', async () => {
    const { preview } = previewsOf([...drive(50), position(60, 0, { statusBits: 2 })]);
    expect(await preview('parked-too-long', { durationSeconds: 3_600 })).toMatchObject({ events: 1, eventsNow: 0 });
  });

  it('judges positions that came late apart from the others', async () => {
    const receivedAtMs = wallMs(START_MS + 7_200_000);
    const late = drive(50, 110, 50).map((each) => ({ ...each, receivedAtMs }));
    const { preview } = previewsOf([...late, position(7_210, 50), position(7_220, 50)]);
    expect(await preview('speeding')).toMatchObject({ events: 1, begins: [START_MS + 60_000] });
  });

  it('reads in parts, each position once, and lets others have their turn between them', async () => {
    const seconds = Array.from({ length: 1_700 }, (_, at) => at);
    // Two positions a moment.
    const stored = seconds.flatMap((at) => [position(at, 50), position(at, 50)]);
    const { preview, parts, turns } = previewsOf(stored);
    expect(await preview('speeding')).toMatchObject({ positions: 3_400, isPartial: false });
    expect(Math.max(...parts)).toBeLessThanOrEqual(500);
    expect(turns()).toBe(7);
  });

  it('lets others have their turn while a rule waits for hours', async () => {
    const schedule = [{ days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 0, toMinute: 1_440 }];
    const { preview, turns } = previewsOf([...drive(50), position(60, 0, { statusBits: 2 })]);
    expect(await preview('parked-too-long', { durationSeconds: 72_000, schedule })).toMatchObject({ events: 1 });
    expect(turns()).toBeGreaterThanOrEqual(19);
  });

  it('is told to be partial where there is more than it looks through', async () => {
    const { preview } = previewsOf(Array.from({ length: 200_010 }, (_, at) => position(at / 4, 50)));
    expect(await preview('ignition-on')).toMatchObject({ positions: 200_000, isPartial: true });
  });

  it('waits for others to end', async () => {
    const { preview, limits } = previewsOf(drive(50));
    const asked = [preview('speeding'), preview('speeding'), preview('speeding')];
    expect((await Promise.all(asked)).map((each) => each?.positions)).toEqual([6, 6, undefined]);
    expect(limits).toEqual([PREVIEWS_LIMIT.name]);
    expect(await preview('speeding')).toBeDefined();
  });

  it('is there for rules that go by positions alone', () => {
    expect(RULE_CODES.filter((code) => !isPreviewed(code))).toEqual([
      'passenger-overload',
      'no-driver-card',
      'not-recorded',
      'offline',
    ]);
    expect(isPreviewed('emergency')).toBe(false);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PreparedRule } from '../../../../../server/events/rules/rule.ts';
import type { PositionInput, RuleInput } from '../../../../../server/events/rules/ruleInput.ts';
import type { Signal } from '../../../../../server/events/signals/signal.ts';
import {
  RULE_CODES,
  RULE_FIELDS,
  type RuleCode,
  type RuleSettings,
} from '../../../../../shared/protocol/events/ruleSettings.ts';
import { IS_LONG } from '../../../../support/runner/long.ts';
import { METER, RulesPlayer, ruleOf, START_MS } from './playRules.ts';

const RUNS = IS_LONG ? 6_000 : 60;

/** The times between the reports of a stretch: most of them steady, some repeated, some after the clock was set back. */
const stepMs = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(1_000, 2_000, 10_000, 30_000) },
  { weight: 1, arbitrary: fc.constantFrom(0, 400_000, 4_000_000, -500, -7_200_000) },
);
const seldom = <Value>(value: fc.Arbitrary<Value>, usual: Value): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: value });
const bits = fc.constantFrom(undefined, 0, 0, 1, 0b101, 0x8000_0000, Number.NaN);

/** What a vehicle does for a while. */
const stretch = fc.record({
  kind: fc.constant('position' as const),
  count: fc.integer({ min: 1, max: 30 }),
  gapMs: seldom(fc.integer({ min: 0, max: 8_000_000 }), 0),
  hasFix: seldom(fc.boolean(), true),
  stepM: fc.constantFrom(0, 0, 5, 20, 300),
  speedKmh: fc.constantFrom(0, 0, 3, 20, 40, 60, 80, 130, undefined, -1, 6_553.5, Number.NaN),
  ignitionOn: fc.boolean(),
  fuelLiters: fc.constantFrom(undefined, 300, 300, 240, 0),
  cabinCelsius: fc.constantFrom(undefined, 20, 36, 40, -10, 999),
  videoLostBits: bits,
  storageFaultBits: bits,
  clockOffsetMs: seldom(fc.constantFrom(200_000, -200_000, -1e12), 0),
  areaLimits: fc.constantFrom([], [], [{ area: 3, speedKmh: 40 }]),
});
const other = fc.oneof(
  fc.record({ kind: fc.constant('presence' as const), isOnline: fc.boolean() }),
  fc.record({ kind: fc.constant('driver-card' as const), isRead: seldom(fc.constant(true), false) }),
  fc.record({
    kind: fc.constant('passengers' as const),
    periodEndMs: fc.nat(20),
    boarded: fc.constantFrom(0, 5, 30, 60, Number.NaN),
    alighted: fc.constantFrom(0, 0, 5, 30, -1),
  }),
  fc.record({ kind: fc.constant('recording' as const), dueBits: fc.nat(7), writtenBits: fc.constantFrom(0, 0, 3, 7) }),
);
const stretches = { minLength: 1, maxLength: 12, size: 'max' } as const;

/** What a device reports over some hours, in the order in which it arrives. */
const reports = fc
  .array(fc.tuple(stepMs, fc.oneof({ weight: 5, arbitrary: stretch }, { weight: 4, arbitrary: other })), stretches)
  .map((parts) => {
    let [atMs, latitude] = [START_MS, 25];
    return parts.flatMap(([step, part]): RuleInput[] => {
      if (part.kind !== 'position') {
        atMs += step * 60;
        return [{ ...part, atMs }];
      }
      const { count, gapMs, stepM, clockOffsetMs, ...rest } = part;
      atMs += gapMs;
      return Array.from({ length: count }, () => {
        atMs += step;
        latitude += stepM * METER;
        const times = { atMs, receivedAtMs: atMs, deviceTimeMs: atMs + clockOffsetMs, isLate: false };
        return { ...rest, ...times, latitude, longitude: 121.5 };
      });
    });
  });

/** Positions that were recorded some time before, sent in order. */
const lateOnes = fc.array(fc.tuple(fc.constantFrom(1_000, 10_000, 30_000), stretch), stretches).map((parts) => {
  let [atMs, latitude] = [START_MS - 80_000_000, 25];
  return parts.flatMap(([step, { count, gapMs, stepM, clockOffsetMs: _, ...rest }]) => {
    atMs += gapMs;
    return Array.from({ length: count }, (): PositionInput => {
      atMs += step;
      latitude += stepM * METER;
      const times = { atMs, deviceTimeMs: atMs, receivedAtMs: START_MS, isLate: true };
      return { ...rest, ...times, latitude, longitude: 121.5 };
    });
  });
});

const schedule = fc.constantFrom([], [], [{ days: [1], fromMinute: 10, toMinute: 90 }]);

function settingsOf(code: RuleCode): fc.Arbitrary<RuleSettings> {
  const { schedule: _, ...numbers } = RULE_FIELDS[code];
  const values = Object.entries(numbers).map(([name, { minimum, maximum, defaultValue = minimum }]) => [
    name,
    fc.constantFrom(minimum, Math.min(maximum, Math.round(minimum + (defaultValue - minimum) / 4)), defaultValue),
  ]);
  return fc.record({ ...Object.fromEntries(values), schedule });
}

const rules = fc
  .tuple(...RULE_CODES.map((code) => settingsOf(code).map((settings) => ruleOf(code, settings))))
  .map((all): readonly PreparedRule[] => all);

type Said = readonly { readonly atMs: number; readonly signal: Signal }[];

function play(inputs: readonly RuleInput[], on: readonly PreparedRule[]): Said {
  const player = new RulesPlayer();
  for (const input of inputs) player.play(input, on);
  return player.said;
}

const nameOf = ({ type, unit, area }: Signal): string => `${type} ${unit} ${area}`;

/** What is wrong with the order of begins and ends. */
function disorder(said: Said): string[] {
  const open = new Set<string>();
  return said.flatMap(({ signal }) => {
    const name = nameOf(signal);
    const isOpen = open.has(name);
    if (signal.form === 'begin') open.add(name);
    if (signal.form === 'end') open.delete(name);
    if (signal.form === 'begin' && isOpen) return [`${name} begins twice`];
    return signal.form === 'end' && !isOpen ? [`${name} ends before it begins`] : [];
  });
}

describe('the rules, whatever is reported', () => {
  it('are each heard of', () => {
    const samples = fc.sample(fc.tuple(reports, rules), { numRuns: 150, seed: 1 });
    const types = samples.flatMap(([inputs, on]) => play(inputs, on).map(({ signal }) => signal.type));
    expect([...new Set(types)].sort()).toEqual([...RULE_CODES].sort());
  });

  it('end what they have begun, once, and only then begin it again', () => {
    fc.assert(
      fc.property(reports, rules, (inputs, on) => {
        const player = new RulesPlayer();
        for (const input of inputs) player.play(input, on);
        expect(disorder(player.said)).toEqual([]);
        // Switched off, they leave nothing open.
        player.note(0, player.device.evaluate({ kind: 'tick', atMs: START_MS }, []));
        const forms = player.said.map(({ signal }) => signal.form);
        expect(forms.filter((form) => form === 'end')).toHaveLength(forms.filter((form) => form === 'begin').length);
        expect(player.device.nextTickAtMs).toBe(Number.POSITIVE_INFINITY);
      }),
      { numRuns: RUNS },
    );
  });

  it('do so for late positions too, which change nothing of what is said of the others', () => {
    fc.assert(
      fc.property(reports, lateOnes, rules, (inputs, late, on) => {
        const player = new RulesPlayer();
        const mixed = inputs.flatMap<RuleInput>((input, at) => [input, ...late.slice(at * 2, at * 2 + 2)]);
        const lateSaid: { atMs: number; signal: Signal }[] = [];
        const liveSaid: Signal[] = [];
        for (const input of mixed) {
          const isLate = input.kind === 'position' && input.isLate;
          const signals = player.device.evaluate(input, on);
          for (const signal of signals) isLate ? lateSaid.push({ atMs: input.atMs, signal }) : liveSaid.push(signal);
        }
        const ended = player.device.endLate(Number.MAX_SAFE_INTEGER);
        for (const signal of ended?.signals ?? []) lateSaid.push({ atMs: ended?.atMs ?? 0, signal });
        expect(disorder(lateSaid)).toEqual([]);
        expect(lateSaid.filter(({ signal }) => signal.form === 'begin')).toHaveLength(
          lateSaid.filter(({ signal }) => signal.form === 'end').length,
        );
        const alone = new RulesPlayer();
        expect(liveSaid).toEqual(inputs.flatMap((input) => alone.device.evaluate(input, on)));
      }),
      { numRuns: RUNS },
    );
  });

  it('say the same however often they are asked in between', () => {
    fc.assert(
      fc.property(reports, rules, fc.infiniteStream(fc.nat(5_000)), (inputs, on, offsets) => {
        const player = new RulesPlayer();
        for (const input of inputs) {
          player.play(input, on);
          const atMs = input.atMs + offsets.next().value;
          if (atMs < player.device.nextTickAtMs) player.note(atMs, player.device.evaluate({ kind: 'tick', atMs }, on));
        }
        expect(player.said).toEqual(play(inputs, on));
      }),
      { numRuns: RUNS },
    );
  });

  it('say the same together as each by itself', () => {
    fc.assert(
      fc.property(reports, rules, (inputs, on) => {
        const together = play(inputs, on);
        for (const rule of on) {
          const ofIt = together.filter(({ signal }) => signal.type === rule.code);
          expect(ofIt).toEqual(play(inputs, [rule]));
        }
      }),
      { numRuns: RUNS / 3 },
    );
  });

  it('say nothing more of a position that comes twice', () => {
    fc.assert(
      fc.property(reports, rules, (inputs, on) => {
        const twice = inputs.flatMap<RuleInput>((input) => (input.kind === 'position' ? [input, input] : [input]));
        expect(play(twice, on)).toEqual(play(inputs, on));
      }),
      { numRuns: RUNS },
    );
  });

  it('take any numbers', () => {
    const any = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -0));
    const anyPosition = fc.record({
      kind: fc.constant('position' as const),
      atMs: any,
      deviceTimeMs: any,
      receivedAtMs: any,
      isLate: fc.boolean(),
      hasFix: fc.boolean(),
      latitude: any,
      longitude: any,
      speedKmh: any,
      ignitionOn: fc.boolean(),
      fuelLiters: any,
      cabinCelsius: any,
      videoLostBits: any,
      storageFaultBits: any,
    });
    const anyOther = fc.oneof(
      fc.record({ kind: fc.constant('presence' as const), atMs: any, isOnline: fc.boolean() }),
      fc.record({ kind: fc.constant('recording' as const), atMs: any, dueBits: any, writtenBits: any }),
      fc.record({
        kind: fc.constant('passengers' as const),
        atMs: any,
        periodEndMs: any,
        boarded: any,
        alighted: any,
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(anyPosition, anyOther), { maxLength: 40 }), rules, (inputs, on) => {
        const player = new RulesPlayer();
        const live: { atMs: number; signal: Signal }[] = [];
        for (const input of inputs) {
          const signals = player.device.evaluate(input, on);
          if (!('isLate' in input && input.isLate)) for (const signal of signals) live.push({ atMs: 0, signal });
        }
        expect(disorder(live)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('the rules and their limits', () => {
  /** Whether it is raised after each of the inputs. */
  function raisedAfter(inputs: readonly RuleInput[], rule: PreparedRule): boolean[] {
    const player = new RulesPlayer();
    return inputs.map((input) => {
      player.play(input, [rule]);
      return player.said.at(-1)?.signal.form === 'begin';
    });
  }

  const withoutAreas = reports.map((inputs) =>
    inputs.map((input) => (input.kind === 'position' ? { ...input, areaLimits: [] } : input)),
  );

  it('a higher speed limit is never exceeded where a lower one isn’t', () => {
    const limit = fc.integer({ min: 20, max: 120 });
    fc.assert(
      fc.property(withoutAreas, limit, limit, fc.constantFrom(0, 5, 20), (inputs, one, two, hysteresis) => {
        const raised = (threshold: number): boolean[] => {
          const settings = { threshold, clearThreshold: threshold - hysteresis, durationSeconds: 30 };
          return raisedAfter(inputs, ruleOf('speeding', settings));
        };
        const [low, high] = [raised(Math.min(one, two)), raised(Math.max(one, two))];
        expect(high.filter((isRaised, at) => isRaised && low[at] === false)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it.each(['idling', 'no-fix', 'parked-too-long', 'offline'] as const)(
    'a longer duration of %s is never over where a shorter one isn’t',
    (code) => {
      const duration = fc.integer({ min: 0, max: 1_200 });
      fc.assert(
        fc.property(withoutAreas, duration, duration, (inputs, one, two) => {
          const raised = (durationSeconds: number): boolean[] => raisedAfter(inputs, ruleOf(code, { durationSeconds }));
          const [short, long] = [raised(Math.min(one, two)), raised(Math.max(one, two))];
          expect(long.filter((isRaised, at) => isRaised && short[at] === false)).toEqual([]);
        }),
        { numRuns: RUNS },
      );
    },
  );

  it('where a higher threshold finds harsh braking, a lower one does too', () => {
    const limit = fc.integer({ min: 4, max: 30 });
    fc.assert(
      fc.property(reports, limit, limit, (inputs, one, two) => {
        const count = (threshold: number): number => play(inputs, [ruleOf('harsh-braking', { threshold })]).length;
        expect(Math.min(count(Math.max(one, two)), 1)).toBeLessThanOrEqual(count(Math.min(one, two)));
      }),
      { numRuns: RUNS },
    );
  });
});

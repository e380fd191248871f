import { describe, expect, it } from 'vitest';
import type { OpenCondition } from '../../../../../server/events/rules/rule.ts';
import {
  every,
  inputOf,
  type PositionStep,
  positionAt,
  RulesPlayer,
  ruleOf,
  START_MS,
  type Step,
} from './playRules.ts';

const speeding = ruleOf('speeding', { threshold: 100, clearThreshold: 90, durationSeconds: 20 });
const idling = ruleOf('idling', { durationSeconds: 60 });
const fast = (from: number, to: number): Step[] => every(10, from, to, { speedKmh: 120 });

/** Received long after they were recorded. */
const late = (steps: readonly PositionStep[], receivedAt = 10_000): Step[] =>
  steps.map((step) => ({ ...step, isLate: true, receivedAtMs: START_MS + receivedAt * 1_000 }));

function played(steps: readonly Step[], rules = [speeding]): RulesPlayer {
  const player = new RulesPlayer();
  for (const step of steps) player.play(inputOf(step), rules);
  return player;
}

describe('rules that are switched', () => {
  it('end what they had raised with the next input, whichever it is', () => {
    const player = played(fast(0, 30), [speeding, idling]);
    expect(player.device.evaluate({ kind: 'tick', atMs: START_MS + 35_000 }, [idling])).toMatchObject([
      { type: 'speeding', form: 'end', value: 120 },
    ]);
    expect(player.device.evaluate(positionAt({ at: 40, speedKmh: 120 }), [idling])).toEqual([]);
  });

  it('start anew with other settings, after the end of what the former had raised', () => {
    const stricter = ruleOf('speeding', { threshold: 110, durationSeconds: 0 });
    const player = played(fast(0, 30));
    expect(player.device.evaluate(positionAt({ at: 40, speedKmh: 120 }), [stricter])).toMatchObject([
      { form: 'end', value: 120 },
      { form: 'begin', limit: 110 },
    ]);
  });

  it('go on where another rule is switched, or the same settings were read again', () => {
    const again = ruleOf('speeding', { threshold: 100, clearThreshold: 90, durationSeconds: 20 });
    const player = played(fast(0, 30));
    expect(player.device.evaluate(positionAt({ at: 40, speedKmh: 120 }), [idling, again])).toEqual([]);
    expect(player.device.evaluate(positionAt({ at: 50, speedKmh: 0 }), [idling, again])).toMatchObject([
      { form: 'end' },
    ]);
  });

  it('start anew in another time zone where they have a schedule', () => {
    const schedule = [{ days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 0, toMinute: 1_440 }];
    const rules = ['UTC', 'Asia/Taipei'].map((timeZone) =>
      ruleOf('speeding', { schedule, durationSeconds: 0 }, timeZone),
    );
    const [here, there] = rules.map((rule) => [rule]);
    const player = played([{ at: 0, speedKmh: 120 }], here);
    expect(player.device.evaluate(positionAt({ at: 10, speedKmh: 120 }), there ?? [])).toMatchObject([
      { form: 'end' },
      { form: 'begin' },
    ]);
  });
});

describe('ticks', () => {
  it('are needed only where time alone changes something', () => {
    const offline = ruleOf('offline', { durationSeconds: 3_600 });
    const { device } = played(fast(0, 10), [speeding, offline]);
    expect(device.nextTickAtMs).toBe(Number.POSITIVE_INFINITY);
    // Raised: it ends if nothing more is heard.
    device.evaluate(positionAt({ at: 20, speedKmh: 120 }), [speeding, offline]);
    expect(device.nextTickAtMs).toBe(START_MS + 320_000);
    device.evaluate(positionAt({ at: 30, speedKmh: 50 }), [speeding, offline]);
    device.evaluate({ kind: 'presence', atMs: START_MS + 40_000, isOnline: false }, [speeding, offline]);
    expect(device.nextTickAtMs).toBe(START_MS + 3_640_000);
  });

  it('that come too early change nothing', () => {
    const { device } = played(fast(0, 30));
    expect(device.evaluate({ kind: 'tick', atMs: START_MS + 329_000 }, [speeding])).toEqual([]);
    expect(device.evaluate({ kind: 'tick', atMs: START_MS + 330_000 }, [speeding])).toMatchObject([{ form: 'end' }]);
  });
});

describe('times', () => {
  it('that go back are ignored, as those of a position that was overtaken', () => {
    expect(played([...fast(0, 30), { at: 25, speedKmh: 0 }, { at: 40, speedKmh: 120 }]).lines()).toEqual([
      '20 begin, 120 of 100, since 0',
    ]);
  });

  it('of a clock that was set back are the new times', () => {
    expect(played([...fast(7_200, 7_210), ...fast(0, 20)]).lines()).toEqual(['20 begin, 120 of 100, since 0']);
    expect(played([...fast(7_200, 7_230), ...fast(0, 20), { at: 30, speedKmh: 0 }]).lines()).toEqual([
      '7220 begin, 120 of 100, since 7200',
      '30 end, 120',
    ]);
  });
});

describe('late positions', () => {
  it('are judged by the device’s clock, apart from those of now', () => {
    const [before, after] = [fast(10_000, 10_010), fast(10_020, 10_020)];
    const steps = [...before, ...late(every(10, 100, 130, { speedKmh: 130 }), 10_015), ...after];
    expect(played(steps).lines()).toEqual(['120 begin, 130 of 100, since 100', '10020 begin, 120 of 100, since 10000']);
  });

  it('end what they have begun a minute after the last of them', () => {
    const player = played(late(every(10, 100, 130, { speedKmh: 130 })));
    expect(player.device.nextTickAtMs).toBe(START_MS + 10_060_000);
    expect(player.device.endLate(START_MS + 10_059_000)).toBeUndefined();
    expect(player.device.endLate(START_MS + 10_060_000)).toMatchObject({
      atMs: START_MS + 130_000,
      isLate: true,
      covered: 0,
      signals: [{ type: 'speeding', form: 'end', value: 130 }],
    });
    expect(player.device.nextTickAtMs).toBe(Number.POSITIVE_INFINITY);
    expect(player.device.endLate(START_MS + 99_000_000)).toBeUndefined();
  });

  it('go on from package to package', () => {
    const first = late(every(10, 100, 110, { speedKmh: 130 }), 10_000);
    const second = late(every(10, 120, 130, { speedKmh: 130 }), 10_050);
    expect(played([...first, ...second]).lines()).toEqual(['120 begin, 130 of 100, since 100']);
  });

  it('that are sent again are ignored, also after their end', () => {
    const steps = every(10, 100, 130, { speedKmh: 130 });
    const player = played([...late(steps), ...late(steps), ...late(steps, 20_000)]);
    expect(player.lines()).toEqual(['120 begin, 130 of 100, since 100', '130 end, 130']);
  });

  it('of another year, or of the future, are ignored', () => {
    const old = every(10, -9_000_000, -8_999_900, { speedKmh: 130 });
    const coming = every(10, 20_000, 20_100, { speedKmh: 130 });
    const player = played([...late(old), ...late(coming), ...late(every(10, 100, 130, { speedKmh: 130 }))]);
    expect(player.lines()).toEqual(['120 begin, 130 of 100, since 100']);
  });

  it('are not judged by rules about now', () => {
    const rules = [ruleOf('offline'), ruleOf('wrong-clock'), ruleOf('no-driver-card', { durationSeconds: 0 })];
    const steps = late([{ at: 0, ignitionOn: false }, ...every(10, 10, 9_000)]);
    expect(played([{ at: 9_500, kind: 'driver-card', isRead: false }, ...steps], rules).lines()).toEqual([]);
  });
});

describe('after a restart of the gateway', () => {
  const open = (type: string, place: Partial<OpenCondition> = {}): OpenCondition => ({
    type,
    unit: 0,
    area: 0,
    sinceMs: START_MS - 600_000,
    ...place,
  });

  function resumed(conditions: readonly OpenCondition[], steps: readonly Step[], rules = [speeding]): string[] {
    const player = new RulesPlayer();
    player.note(START_MS, player.device.resume(conditions, rules, START_MS));
    for (const step of steps) player.play(inputOf(step), rules);
    return player.lines();
  }

  it('an open condition neither begins again nor ends', () => {
    expect(resumed([open('speeding')], fast(5, 65))).toEqual([]);
  });

  it('ends as it would have', () => {
    expect(resumed([open('speeding')], [...fast(5, 15), { at: 25, speedKmh: 50 }])).toEqual(['25 end, 120']);
    expect(resumed([open('speeding')], [{ at: 5, speedKmh: 50 }])).toEqual(['5 end']);
    expect(resumed([open('speeding')], [{ at: 400, kind: 'tick' }])).toEqual(['300 end, since 0']);
  });

  it('ends at once where no rule is on for it', () => {
    expect(resumed([open('idling'), open('video-loss', { unit: 3 })], [])).toEqual(['0 end', '0 end of 3']);
  });

  it.each<[string, OpenCondition, readonly Step[], readonly Step[]]>([
    ['speeding', open('speeding', { area: 4 }), [{ at: 5, areaLimits: [{ area: 4, speedKmh: 30 }] }], [{ at: 15 }]],
    ['idling', open('idling'), [{ at: 5, speedKmh: 0 }], [{ at: 15 }]],
    ['no-fix', open('no-fix'), [{ at: 5, hasFix: false }], [{ at: 15 }]],
    ['no-driver-card', open('no-driver-card'), [{ at: 5 }], [{ at: 15, kind: 'driver-card', isRead: true }]],
    ['continuous-driving', open('continuous-driving'), every(10, 5, 600), every(10, 610, 1_900, { speedKmh: 0 })],
    ['unauthorized-movement', open('unauthorized-movement'), [{ at: 5, ignitionOn: false }], [{ at: 15 }]],
    [
      'passenger-overload',
      open('passenger-overload'),
      [{ at: 5 }],
      [{ at: 15, kind: 'passengers', periodEndMs: START_MS, boarded: 0, alighted: 1 }],
    ],
    ['parked-too-long', open('parked-too-long'), [{ at: 2_000, speedKmh: 0, ignitionOn: false }], [{ at: 2_010 }]],
    ['cabin-temperature', open('cabin-temperature'), [{ at: 5, cabinCelsius: 40 }], [{ at: 15, cabinCelsius: 20 }]],
    ['video-loss', open('video-loss', { unit: 2 }), [{ at: 5, videoLostBits: 2 }], [{ at: 15, videoLostBits: 0 }]],
    ['storage-fault', open('storage-fault', { unit: 1 }), [{ at: 5 }], [{ at: 15, storageFaultBits: 0 }]],
    [
      'offline',
      open('offline'),
      [{ at: 0, kind: 'presence', isOnline: false }],
      [{ at: 9, kind: 'presence', isOnline: true }],
    ],
    [
      'wrong-clock',
      open('wrong-clock'),
      every(20, 5, 65, { deviceTimeMs: 0 }),
      every(20, 85, 145).map((step) => ({ ...step, deviceTimeMs: START_MS + step.at * 1_000 })),
    ],
  ])('%s goes on, and ends', (code, condition, same, over) => {
    const rules = [ruleOf(code as Parameters<typeof ruleOf>[0])];
    expect(resumed([condition], same, rules)).toEqual([]);
    const lines = resumed([condition], [...same, ...over], rules);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\d+ end/);
  });
});

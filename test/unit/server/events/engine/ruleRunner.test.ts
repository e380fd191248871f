import { beforeEach, describe, expect, it } from 'vitest';
import { Origin } from '../../../../../server/events/signals/signal.ts';
import type { StoredEvent } from '../../../../../server/store/events/eventLog.ts';
import { ruleOf } from '../rules/playRules.ts';
import { item } from '../signals/reports.ts';
import { BUS, type PositionOptions, RulesScene, START_MS } from './rulesScene.ts';

/** Seconds from the start, speed, and what else the position says. */
type Step = readonly [number, number, PositionOptions?];

const HOUR_S = 3_600;
/** Midnight to one, UTC. */
const FIRST_HOUR = [{ days: [1], fromMinute: 0, toMinute: 60 }];
const speeding = ruleOf('speeding', { threshold: 100, clearThreshold: 95, durationSeconds: 10 });

let scene: RulesScene;

beforeEach(async () => {
  scene = new RulesScene();
  scene.rules = [speeding];
});

function drive(steps: readonly Step[]): void {
  for (const [seconds, speedKmh, options] of steps) scene.position(seconds, { speedKmh, ...options });
}

const CASES: readonly (readonly [string, readonly Step[], readonly string[]])[] = [
  [
    'begins after its duration, from when it was first too fast, and ends below the hysteresis',
    [
      [0, 90],
      [10, 110],
      [15, 120],
      [20, 115],
      [30, 97],
      [40, 95],
    ],
    ['speeding 10-40, 120 of 100'],
  ],
  [
    'is not raised by a moment of it',
    [
      [10, 110],
      [15, 90],
      [20, 110],
      [25, 90],
    ],
    [],
  ],
  [
    'is one event with a count when it flaps within the merge window',
    [
      [0, 110],
      [10, 110],
      [20, 80],
      [30, 112],
      [40, 112],
      [50, 80],
      [60, 130],
      [70, 130],
      [80, 80],
    ],
    ['speeding 0-80, 130 of 100 x3'],
  ],
  [
    'is another event after the merge window',
    [
      [0, 110],
      [10, 110],
      [20, 80],
      [90, 112],
      [100, 112],
      [110, 80],
    ],
    ['speeding 0-20, 110 of 100', 'speeding 90-110, 112 of 100'],
  ],
  [
    'goes on through a position without a fix',
    [
      [0, 110],
      [10, 110],
      [20, 0, { status: 1 }],
      [30, 110],
    ],
    ['speeding 0-, 110 of 100'],
  ],
  [
    'of late positions is an event of its own, in their time',
    [
      [0, 60],
      [1, 110, { isLive: false, deviceAt: -600 }],
      [2, 120, { isLive: false, deviceAt: -590 }],
      [3, 60],
      [4, 80, { isLive: false, deviceAt: -580 }],
    ],
    ['speeding -600--580, 120 of 100 late'],
  ],
];

describe('speeding in the engine', () => {
  it.each(CASES)('%s', async (_, steps, lines) => {
    await scene.start();
    drive(steps);
    expect(scene.lines()).toEqual(lines);
    expect(scene.faults).toEqual([]);
  });

  it('ends by the clock when no position says any more that it goes on', async () => {
    await scene.start();
    drive([
      [0, 110],
      [10, 110],
    ]);
    scene.goTo(HOUR_S);
    expect(scene.lines()).toEqual(['speeding 0-10, 110 of 100']);
  });

  it('of late positions ends a minute after the last of them', async () => {
    await scene.start();
    drive([
      [1, 110, { isLive: false, deviceAt: -600 }],
      [2, 120, { isLive: false, deviceAt: -590 }],
    ]);
    expect(scene.lines()).toEqual(['speeding -600-, 120 of 100 late']);
    scene.goTo(70);
    expect(scene.lines()).toEqual(['speeding -600--590, 120 of 100 late']);
  });

  it('names the rule, and where the vehicle was', async () => {
    await scene.start();
    drive([
      [0, 110],
      [10, 110],
    ]);
    expect(scene.events).toMatchObject([
      { source: 'rule', rule: 7, origins: Origin.Rule, place: { latitude: 23.5, speedKmh: 110 } },
    ]);
  });
});

describe('a cold cabin', () => {
  it('is as bad as it was at its coldest', async () => {
    scene.rules = [ruleOf('cabin-temperature', { lowThreshold: 2, threshold: 30, durationSeconds: 0 })];
    await scene.start();
    for (const [seconds, hex] of [
      [0, '0001'],
      [60, '8008'],
      [120, '0000'],
      [180, '000a'],
    ] as const)
      scene.position(seconds, { items: [item(0x06, hex)] });
    expect(scene.lines()).toEqual(['cabin-temperature 0-180, -8 of 2']);
  });
});

describe('a rule and the terminal', () => {
  it('make one event of one condition, which ends with the last of them', async () => {
    scene.rules = [ruleOf('video-loss', { durationSeconds: 0 })];
    await scene.start();
    const lost = { items: [item(0x15, '00000002')] };
    scene.position(0, lost);
    expect(scene.lines()).toEqual(['video-loss 2 0-']);
    expect(scene.events).toMatchObject([{ origins: Origin.VideoLoss | Origin.Rule, source: 'terminal' }]);
    scene.position(10, lost);
    scene.position(20);
    expect(scene.lines()).toEqual(['video-loss 2 0-20']);
  });

  it('a bug in a rule costs the terminal none of its own alarms', async () => {
    const broken = {
      ...speeding,
      rule: {
        ...speeding.rule,
        start: () => {
          throw new Error('a bug');
        },
      },
    };
    scene.rules = [broken];
    await scene.start();
    scene.position(0, { alarm: 1 });
    expect(scene.lines()).toEqual(['emergency 0-']);
    expect(scene.faults).toMatchObject([{ message: 'the rules of BUS1 failed' }]);
  });
});

describe('a schedule', () => {
  it('says when the rule applies; at its end, the event ends with the next position', async () => {
    scene.rules = [ruleOf('speeding', { threshold: 100, durationSeconds: 0, schedule: FIRST_HOUR })];
    await scene.start();
    drive([
      [HOUR_S - 60, 110],
      [HOUR_S - 30, 110],
      [HOUR_S + 1, 110],
      [HOUR_S + 10, 130],
    ]);
    expect(scene.lines()).toEqual([`speeding ${HOUR_S - 60}-${HOUR_S + 1}, 110 of 100`]);
  });
});

describe('other settings', () => {
  it('end what was raised, without waiting for a report', async () => {
    await scene.start();
    drive([
      [0, 110],
      [10, 110],
    ]);
    scene.goTo(15);
    scene.rules = [ruleOf('speeding', { threshold: 150 })];
    scene.runner.look(scene.devices);
    expect(scene.lines()).toEqual(['speeding 0-15, 110 of 100']);
    drive([[20, 110]]);
    expect(scene.lines()).toHaveLength(1);
  });

  it('that leave no rule forget the device', async () => {
    await scene.start();
    drive([
      [0, 110],
      [10, 110],
    ]);
    expect([scene.runner.deviceCount, scene.runner.stateCount]).toEqual([1, 1]);
    scene.rules = [];
    drive([[20, 110]]);
    expect(scene.lines()).toEqual(['speeding 0-20, 110 of 100']);
    expect([scene.runner.deviceCount, scene.runner.stateCount]).toEqual([0, 0]);
  });

  it('of other rules change nothing', async () => {
    await scene.start();
    drive([
      [0, 110],
      [10, 110],
    ]);
    scene.rules = [speeding, ruleOf('idling')];
    scene.runner.look(scene.devices);
    drive([[20, 110]]);
    expect(scene.lines()).toEqual(['speeding 0-, 110 of 100']);
  });

  it('evaluate nothing for a device without rules', async () => {
    scene.rules = [];
    await scene.start();
    drive([[0, 200]]);
    expect([scene.runner.deviceCount, scene.runner.evaluatedCount]).toEqual([0, 0]);
  });
});

describe('after a restart', () => {
  const open: StoredEvent = {
    id: 5,
    archiveNumber: 1,
    type: 'speeding',
    unit: 0,
    area: 0,
    severity: 'major',
    source: 'rule',
    beginAtMs: START_MS - 60_000,
    deviceTimeMs: START_MS - 60_000,
    place: { latitude: 25, longitude: 121, speedKmh: 110, headingDeg: 0 },
    driver: '',
    rule: 7,
    isLate: false,
    edition: '2019',
    origins: Origin.Rule,
    endAtMs: 0,
    lastSeenAtMs: START_MS - 10_000,
    endPlace: { latitude: 25, longitude: 121, speedKmh: 110, headingDeg: 0 },
    count: 1,
    value: 110,
    limit: 100,
    alarmMark: '',
    isAnswered: false,
  };

  it('what was raised goes on, and ends when it is over', async () => {
    scene.stored = [open];
    await scene.start();
    drive([
      [20, 98],
      [30, 90],
    ]);
    expect(scene.lines()).toEqual(['speeding -60-30, 110 of 100']);
    expect(scene.events).toMatchObject([{ id: 5 }]);
  });

  it('ends what no rule is on for any more', async () => {
    scene.stored = [open];
    scene.rules = [ruleOf('idling')];
    await scene.start();
    expect(scene.lines()).toEqual(['speeding -60-0, 110 of 100']);
  });

  it('leaves what the terminal has raised to the terminal', async () => {
    scene.stored = [{ ...open, type: 'emergency', origins: Origin.AlarmWord }];
    await scene.start();
    expect(scene.runner.deviceCount).toBe(0);
    expect([...scene.engine.lasting()]).toHaveLength(1);
  });

  it('a terminal that does not come back is offline since then', async () => {
    scene.rules = [ruleOf('offline', { durationSeconds: 600 })];
    scene.isOnline = false;
    await scene.start();
    scene.goTo(599);
    expect(scene.lines()).toEqual([]);
    scene.goTo(601);
    expect(scene.lines()).toEqual(['offline 0-']);
    expect(scene.events).toMatchObject([{ place: { latitude: 24 } }]);
    scene.presence(700, true);
    expect(scene.lines()).toEqual(['offline 0-700']);
  });

  it('an event of a terminal that was away before goes on', async () => {
    scene.rules = [ruleOf('offline', { durationSeconds: 600 })];
    scene.stored = [{ ...open, type: 'offline', value: undefined, limit: undefined }];
    scene.isOnline = false;
    await scene.start();
    scene.goTo(HOUR_S);
    expect([...scene.engine.lasting()]).toMatchObject([{ id: 5, type: 'offline' }]);
    expect(scene.lines()).toEqual([]);
  });

  it.each([
    ['that was never connected', { ...BUS, wasSeen: false }],
    ['that is disabled', { ...BUS, disabled: true }],
  ])('nobody waits for a device %s', async (_, device) => {
    scene.rules = [ruleOf('offline')];
    scene.isOnline = false;
    scene.devices = [device];
    await scene.start();
    scene.goTo(10 * HOUR_S);
    expect(scene.lines()).toEqual([]);
    expect(scene.runner.deviceCount).toBe(0);
  });
});

describe('offline', () => {
  const offline = ruleOf('offline', { durationSeconds: 600 });

  it('is raised when the connection has been gone for so long', async () => {
    scene.rules = [offline];
    await scene.start();
    scene.presence(10, true);
    scene.presence(100, false);
    scene.goTo(699);
    expect(scene.lines()).toEqual([]);
    scene.goTo(702);
    expect(scene.lines()).toEqual(['offline 100-']);
  });

  it('counts from when the terminal left, also where the rule comes later', async () => {
    scene.rules = [];
    await scene.start();
    scene.presence(HOUR_S, false);
    scene.onlineSinceMs = scene.now();
    scene.goTo(2 * HOUR_S);
    scene.rules = [offline];
    scene.runner.look(scene.devices);
    scene.goTo(2 * HOUR_S + 2);
    expect(scene.lines()).toEqual([`offline ${HOUR_S}-`]);
  });
});

describe('what is recorded', () => {
  beforeEach(async () => {
    scene.rules = [ruleOf('not-recorded', { durationSeconds: 60 })];
    await scene.start();
    scene.presence(0, true);
  });

  it('is looked at: a channel that is due and not written is raised, until it is written', () => {
    scene.recordings.set('BUS1', { dueBits: 0b11, writtenBits: 0b01 });
    scene.goTo(85);
    expect(scene.lines()).toEqual([]);
    scene.goTo(95);
    expect(scene.lines()).toEqual(['not-recorded 2 30-']);
    scene.recordings.set('BUS1', { dueBits: 0b11, writtenBits: 0b11 });
    scene.goTo(125);
    expect(scene.lines()).toEqual(['not-recorded 2 30-120']);
  });

  it('ends when nothing is due any more, or when the terminal goes', () => {
    scene.recordings.set('BUS1', { dueBits: 0b1, writtenBits: 0 });
    scene.goTo(95);
    scene.recordings.clear();
    scene.goTo(125);
    expect(scene.lines()).toEqual(['not-recorded 1 30-120']);
    scene.recordings.set('BUS1', { dueBits: 0b1, writtenBits: 0 });
    scene.goTo(260);
    scene.presence(270, false);
    expect(scene.lines()[1]).toEqual('not-recorded 1 150-270');
  });

  it('costs nothing where nothing is due', () => {
    const before = scene.runner.evaluatedCount;
    scene.goTo(HOUR_S);
    expect(scene.runner.evaluatedCount).toBe(before);
  });
});

describe('a deleted device', () => {
  it('is forgotten', async () => {
    await scene.start();
    drive([
      [0, 110],
      [10, 110],
    ]);
    scene.runner.forget('BUS1');
    scene.engine.forget('BUS1');
    scene.goTo(HOUR_S);
    expect(scene.runner.deviceCount).toBe(0);
    expect(scene.lines()).toEqual(['speeding 0-10, 110 of 100']);
  });
});

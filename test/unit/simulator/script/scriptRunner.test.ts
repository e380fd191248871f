// What a terminal says by its script, on a clock that the test moves.
import { beforeEach, describe, expect, it } from 'vitest';
import type { SafetyAlarm } from '../../../../server/device/jt808/codec/activeSafety.ts';
import type { AlarmMark } from '../../../../server/device/jt808/codec/alarmMark.ts';
import {
  AdasType,
  AlarmBit,
  BlindSpotType,
  DriverMonitoringType,
  DrivingStyleType,
  SafetyAlarmFlag,
  StatusBit,
  VehicleStateBit,
} from '../../../../server/device/jt808/codec/codes.ts';
import {
  type BodyOf,
  decodeBody,
  encodeBody,
  type MessageBody,
  messageIdOf,
} from '../../../../server/device/jt808/codec/message.ts';
import { positionDetails } from '../../../../server/device/jt808/codec/positionItems.ts';
import { ScriptRunner, type ScriptRunnerDeps } from '../../../../simulator/script/scriptRunner.ts';
import type { SafetyStep, VehicleScript } from '../../../../simulator/script/vehicleScript.ts';
import type { VehicleProfile } from '../../../../simulator/vehicleProfile.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';

const STARTED_MS = Date.UTC(2026, 10, 23, 8);
const PROFILE: VehicleProfile = {
  deviceId: 'BUS1',
  name: 'Bus 1',
  number: '13800000001',
  edition: '2019',
  plate: 'A-0001',
  channels: 4,
  lapShare: 0,
};

class Scene {
  readonly timers = new ManualTimers();
  /** Messages as the gateway decodes them, with the seconds since the start. */
  readonly told: (readonly [seconds: number, body: MessageBody])[] = [];
  readonly absences: (readonly [seconds: number, isAbsent: boolean])[] = [];
  readonly files: AlarmMark[] = [];
  /** Crossings of the positions to come, one each. */
  readonly crossings: ReturnType<ScriptRunnerDeps['areaCrossing']>[] = [];
  readonly pictures: (readonly [channel: number, event: number])[] = [];
  readonly runner: ScriptRunner;
  #serial = 0;

  constructor(script: VehicleScript, profile: Partial<VehicleProfile> = {}) {
    const report = (body: MessageBody): number => {
      this.told.push([this.seconds, asDecoded(body)]);
      return this.#serial++;
    };
    this.runner = new ScriptRunner({
      profile: { ...PROFILE, script, ...profile },
      now: () => STARTED_MS + this.timers.now(),
      runAfter: this.timers.runAfter,
      areaCrossing: () => this.crossings.shift(),
      masks: () => ({ alarms: 0, videoAlarms: 0 }),
      report,
      sendOnce: report,
      takePicture: (channel, event) => this.pictures.push([channel, event]),
      keepFiles: (mark: AlarmMark, _step: SafetyStep) => this.files.push(mark),
      onAbsence: (isAbsent) => {
        this.absences.push([this.seconds, isAbsent]);
        if (isAbsent) this.runner.disconnected();
      },
    });
    this.runner.start();
  }

  get seconds(): number {
    return this.timers.now() / 1000;
  }

  of<Kind extends MessageBody['kind']>(kind: Kind): (readonly [seconds: number, body: BodyOf<Kind>])[] {
    return this.told.filter((each): each is [number, BodyOf<Kind>] => each[1].kind === kind);
  }

  alarms(): (readonly [seconds: number, alarm: number])[] {
    return this.of('position').map(([seconds, { alarm }]) => [seconds, alarm]);
  }
}

function asDecoded(body: MessageBody): MessageBody {
  const decoded = decodeBody(messageIdOf(body), '2019', encodeBody(body, '2019'));
  if (!decoded.ok) throw new Error(decoded.reason);
  return decoded.body;
}

const EMERGENCY = 1 << AlarmBit.Emergency;
const SPEEDING = 1 << AlarmBit.Overspeed;

describe('a terminal with a script', () => {
  it('reports at its interval, and at once where something begins or ends', () => {
    const scene = new Scene([{ kind: 'alarm', atSeconds: 7, forSeconds: 4, bits: [AlarmBit.Overspeed] }]);
    scene.runner.signedIn();
    scene.timers.advance(15_000);
    expect(scene.alarms()).toEqual([
      [0, 0],
      [5, 0],
      [7, SPEEDING],
      [10, SPEEDING],
      [11, 0],
      [15, 0],
    ]);
  });

  it('tells of the edge of an area with the position behind it', () => {
    const scene = new Scene([]);
    scene.crossings.push(undefined, { areaType: 3, areaId: 7, isLeaving: false }, undefined);
    scene.runner.signedIn();
    scene.timers.advance(10_000);
    expect(scene.alarms()).toEqual([
      [0, 0],
      [5, 1 << AlarmBit.AreaCrossed],
      [10, 0],
    ]);
    const items = scene.of('position').map(([, body]) => body.items.filter(({ id }) => id === 0x12));
    expect(items).toEqual([[], [{ id: 0x12, value: Uint8Array.of(3, 0, 0, 0, 7, 0) }], []]);
  });

  it('keeps an alarm up until its position is acknowledged', () => {
    const scene = new Scene([{ kind: 'alarm', atSeconds: 1, bits: [AlarmBit.Emergency] }]);
    scene.runner.signedIn();
    scene.timers.advance(5_000);
    const serialOfAlarm = 1;
    scene.runner.confirm({ alarmSerial: serialOfAlarm, types: EMERGENCY });
    scene.timers.advance(5_000);
    expect(scene.alarms()).toEqual([
      [0, 0],
      [1, EMERGENCY],
      [5, EMERGENCY],
      [10, 0],
    ]);
  });

  it('says nothing before it has signed in and after it was disconnected or stopped', () => {
    const scene = new Scene([
      { kind: 'alarm', atSeconds: 1, everySeconds: 2, forSeconds: 1, bits: [AlarmBit.Fatigue] },
    ]);
    scene.timers.advance(5_000);
    expect(scene.told).toEqual([]);
    scene.runner.signedIn();
    scene.runner.disconnected();
    scene.timers.advance(5_000);
    expect(scene.told).toHaveLength(1);
    scene.runner.stop();
    expect(scene.timers.pending).toBe(0);
  });

  it('says later what happened once before it had signed in', () => {
    const scene = new Scene([
      { kind: 'driver-event', atSeconds: 0, id: 3 },
      { kind: 'safety', atSeconds: 2, alarm: { item: 'adas', type: AdasType.Pedestrian } },
    ]);
    scene.timers.advance(3_000);
    scene.runner.signedIn();
    expect(scene.told.map(([, { kind }]) => kind)).toEqual(['bulkPositions', 'eventReport', 'position']);
    const [late] = scene.of('bulkPositions').flatMap(([, { positions }]) => positions);
    expect(late?.time).toBe(STARTED_MS + 2_000);
    expect(positionDetails(late?.items ?? []).adas).toMatchObject([{ type: AdasType.Pedestrian }]);
  });

  it('starts over when it is started again', () => {
    const scene = new Scene([{ kind: 'alarm', atSeconds: 1, forSeconds: 3, bits: [AlarmBit.Emergency] }]);
    scene.runner.signedIn();
    scene.timers.advance(2_000);
    scene.runner.confirm({ alarmSerial: 0, types: EMERGENCY });
    scene.runner.stop();
    scene.timers.advance(60_000);
    scene.runner.start();
    scene.runner.signedIn();
    scene.timers.advance(1_000);
    expect(scene.alarms().slice(-2)).toEqual([
      [62, 0],
      [63, EMERGENCY],
    ]);
  });

  it('sends the messages of its moments', () => {
    const card = { name: '林志明', licence: 'N123906712', issuer: '南投監理站', validUntil: '20290630' };
    const scene = new Scene([
      { kind: 'driver-card', atSeconds: 1, card },
      { kind: 'passengers', atSeconds: 2, boarded: 12, alighted: 5, overSeconds: 60 },
      { kind: 'media-event', atSeconds: 3, event: 4, channel: 2 },
      { kind: 'driver-event', atSeconds: 4, id: 9 },
      { kind: 'passthrough', atSeconds: 6, type: 0xf1, data: Uint8Array.of(1, 2) },
      { kind: 'driver-card', atSeconds: 7 },
    ]);
    scene.runner.signedIn();
    scene.timers.advance(8_000);
    const at = (seconds: number): number => STARTED_MS + seconds * 1000;
    expect(scene.told.filter(([, { kind }]) => kind !== 'position')).toMatchObject([
      [1, { kind: 'driverIdentity', status: 1, time: at(1), readResult: 0, card }],
      [2, { kind: 'passengerFlow', start: at(-58), end: at(2), boarded: 12, alighted: 5 }],
      [3, { kind: 'mediaEvent', mediaId: 1, type: 0, format: 0, event: 4, channel: 2 }],
      [4, { kind: 'eventReport', id: 9 }],
      [6, { kind: 'passthroughUp', type: 0xf1, data: Uint8Array.of(1, 2) }],
      [7, { kind: 'driverIdentity', status: 2, time: at(7) }],
    ]);
    expect(scene.pictures).toEqual([[2, 4]]);
  });
});

describe('active-safety alarms of a script', () => {
  const detailsOf = (body: BodyOf<'position'>) => positionDetails(body.items, body.status);

  it('are of every kind, with the place of their position', () => {
    const readings = [{ tyre: 1, alarms: 4, pressureKpa: 610, celsius: -3, batteryPercent: 80 }];
    const scene = new Scene([
      { kind: 'safety', atSeconds: 1, alarm: { item: 'adas', type: AdasType.ForwardCollision, headwayMs: 1_400 } },
      {
        kind: 'safety',
        atSeconds: 1,
        alarm: { item: 'driverMonitoring', type: DriverMonitoringType.Fatigue, fatigueDegree: 7 },
      },
      { kind: 'safety', atSeconds: 1, alarm: { item: 'tyres', readings } },
      { kind: 'safety', atSeconds: 1, alarm: { item: 'blindSpot', type: BlindSpotType.LeftRear } },
      {
        kind: 'safety',
        atSeconds: 1,
        alarm: { item: 'drivingStyle', type: DrivingStyleType.HarshBraking, threshold1: 40 },
      },
    ]);
    scene.runner.signedIn();
    scene.timers.advance(1_000);
    const body = scene.of('position')[1]?.[1];
    if (body === undefined) throw new Error('no position');
    const { latitude, longitude, altitudeMeters, time, speedKmh } = body;
    const common = {
      flag: SafetyAlarmFlag.Momentary,
      latitude,
      longitude,
      altitudeMeters,
      time,
      speedKmh: Math.round(speedKmh),
    };
    const vehicleState = (1 << VehicleStateBit.AccOn) | (1 << VehicleStateBit.Fixed);
    const { adas, driverMonitoring, tyres, blindSpot, drivingStyle } = detailsOf(body);
    expect(adas).toMatchObject([
      { ...common, vehicleState, type: AdasType.ForwardCollision, headwayMs: 1_400, level: 1 },
    ]);
    expect(driverMonitoring).toMatchObject([{ ...common, type: DriverMonitoringType.Fatigue, fatigueDegree: 7 }]);
    expect(tyres).toMatchObject([{ ...common, readings }]);
    expect(blindSpot).toMatchObject([{ ...common, type: BlindSpotType.LeftRear }]);
    expect(drivingStyle).toMatchObject([{ ...common, type: DrivingStyleType.HarshBraking, threshold1: 40 }]);
    type Numbered = Pick<SafetyAlarm<'adas'>, 'alarmId' | 'mark'>;
    const all: readonly Numbered[] = [
      ...(adas ?? []),
      ...(driverMonitoring ?? []),
      ...(tyres ?? []),
      ...(blindSpot ?? []),
      ...(drivingStyle ?? []),
    ];
    expect(all.map(({ alarmId }) => alarmId)).toEqual([1, 2, 3, 4, 5]);
    expect(all.map(({ mark }) => [mark.terminalId, mark.time, mark.serial, mark.fileCount])).toEqual(
      [0, 1, 2, 3, 4].map((serial) => ['0000001', time, serial, 0]),
    );
  });

  it('end under the numbers under which they began, and have their files from the begin on', () => {
    const scene = new Scene([
      {
        kind: 'safety',
        atSeconds: 1,
        forSeconds: 6,
        alarm: { item: 'driverMonitoring', type: DriverMonitoringType.PhoneUse },
        files: { channel: 3, pictures: 2, videoSeconds: 5 },
      },
    ]);
    scene.runner.signedIn();
    scene.timers.advance(10_000);
    const alarms = scene
      .of('position')
      .flatMap(([seconds, body]) =>
        (detailsOf(body).driverMonitoring ?? []).map(({ flag, alarmId, mark }) => ({ seconds, flag, alarmId, mark })),
      );
    expect(alarms).toMatchObject([
      { seconds: 1, flag: SafetyAlarmFlag.Begin, alarmId: 1, mark: { fileCount: 3 } },
      { seconds: 7, flag: SafetyAlarmFlag.End, alarmId: 1 },
    ]);
    expect(alarms[1]?.mark).toEqual(alarms[0]?.mark);
    expect(scene.files.map(({ bytes }) => bytes)).toEqual([alarms[0]?.mark.bytes]);
  });
});

describe('an absence', () => {
  const absence = { kind: 'absence', atSeconds: 12, forSeconds: 10 } as const;
  let scene: Scene;
  beforeEach(() => {
    scene = new Scene([
      absence,
      { kind: 'alarm', atSeconds: 14, forSeconds: 2, bits: [AlarmBit.Overspeed] },
      { kind: 'driver-event', atSeconds: 15, id: 3 },
    ]);
    scene.runner.signedIn();
    scene.timers.advance(22_000);
  });

  it('takes the network away and gives it back', () => {
    expect(scene.absences).toEqual([
      [12, true],
      [22, false],
    ]);
    expect(scene.runner.isAbsent).toBe(false);
    expect(scene.told.map(([seconds]) => seconds)).toEqual([0, 5, 10]);
  });

  it('is followed by what was stored in it, and then by the present', () => {
    scene.timers.advance(1_000);
    scene.runner.signedIn();
    scene.timers.advance(5_000);
    const after = scene.told.slice(3);
    expect(after.map(([seconds, { kind }]) => [seconds, kind])).toEqual([
      [23, 'bulkPositions'],
      [23, 'eventReport'],
      [23, 'position'],
      [28, 'position'],
    ]);
    const [bulk] = scene.of('bulkPositions').map(([, body]) => body);
    expect(bulk?.type).toBe(1);
    expect(bulk?.positions.map(({ time, alarm }) => [((time ?? 0) - STARTED_MS) / 1000, alarm])).toEqual([
      [12, 0],
      [14, SPEEDING],
      [15, SPEEDING],
      [16, 0],
      [17, 0],
      [22, 0],
    ]);
  });

  it('that began before the terminal was started brings positions from then', () => {
    const early = new Scene([
      { kind: 'absence', atSeconds: -90, forSeconds: 90 },
      { kind: 'alarm', atSeconds: -50, forSeconds: 10, bits: [AlarmBit.Overspeed] },
    ]);
    expect(early.runner.isAbsent).toBe(false);
    expect(early.absences).toEqual([]);
    early.runner.signedIn();
    const [bulk] = early.of('bulkPositions').map(([, body]) => body);
    expect(bulk?.positions.map(({ time, alarm }) => [((time ?? 0) - STARTED_MS) / 1000, alarm])).toEqual([
      [-90, 0],
      [-75, 0],
      [-60, 0],
      [-50, SPEEDING],
      [-40, 0],
      [-25, 0],
      [-10, 0],
      [0, 0],
    ]);
  });

  it('that lasts at the start keeps the terminal from dialling, and ends in its time', () => {
    const early = new Scene([{ kind: 'absence', atSeconds: -30, forSeconds: 50 }]);
    expect(early.runner.isAbsent).toBe(true);
    early.timers.advance(20_000);
    expect(early.absences).toEqual([[20, false]]);
  });
});

describe('quirks', () => {
  it('let alarms come and go a hundred times a second, each with a mark of its own', () => {
    const alarmStorm = { positionsPerSecond: 100, bits: [AlarmBit.Emergency], hasSafetyAlarms: true };
    const scene = new Scene([], { quirks: { alarmStorm } });
    scene.runner.signedIn();
    scene.timers.advance(990);
    const [, ...storm] = scene.of('position').map(([, body]) => body);
    expect(storm).toHaveLength(100);
    expect(storm.slice(0, 4).map(({ alarm }) => alarm)).toEqual([EMERGENCY, 0, EMERGENCY, 0]);
    const marks = storm.flatMap(({ items }) => positionDetails(items).adas ?? []).map(({ mark }) => mark.bytes.join());
    expect(new Set(marks).size).toBe(100);
    scene.runner.disconnected();
    scene.timers.advance(5_000);
    expect(scene.of('position')).toHaveLength(101);
  });

  it.each([
    ['never-set', Date.UTC(2070, 0, 1) - 8 * 3_600_000 + 5_000],
    ['next-year', STARTED_MS + 5_000 + 365 * 24 * 3_600_000],
  ] as const)('set the clock: %s', (clock, timeMs) => {
    const scene = new Scene([], { quirks: { clock } });
    scene.runner.signedIn();
    scene.timers.advance(5_000);
    expect(scene.of('position')[1]?.[1].time).toBe(timeMs);
  });
});

describe('a position', () => {
  const bodyAt = (script: VehicleScript, seconds: number, profile: Partial<VehicleProfile> = {}) => {
    const scene = new Scene(script, profile);
    return scene.runner.positionAt(STARTED_MS + seconds * 1000);
  };

  it('stands still while the script stops the vehicle, and goes on from there', () => {
    const script: VehicleScript = [{ kind: 'pace', atSeconds: 10, forSeconds: 300, pace: 0, rampSeconds: 5 }];
    const [first, last] = [bodyAt(script, 16), bodyAt(script, 300)];
    expect(first.speedKmh).toBe(0);
    expect([last.latitude, last.longitude]).toEqual([first.latitude, first.longitude]);
    expect(bodyAt(script, 320).latitude).toBe(bodyAt([], 320 - 295).latitude);
  });

  it('has the speed, the status and the mileage that the script and the profile say', () => {
    const script: VehicleScript = [
      { kind: 'speed', atSeconds: 0, speedKmh: 101.2 },
      { kind: 'status', atSeconds: 0, off: [StatusBit.AccOn], on: [StatusBit.RearDoorOpen] },
    ];
    const body = bodyAt(script, 60, { odometerKm: 100 });
    expect(body.speedKmh).toBe(101.2);
    expect(body.status).toBe((1 << StatusBit.Fixed) | (1 << StatusBit.Gps) | (1 << StatusBit.RearDoorOpen));
    const { mileageKm = 0 } = positionDetails(body.items);
    expect(mileageKm).toBeGreaterThan(100.3);
    expect(mileageKm).toBeLessThan(101.2);
    expect(bodyAt([], 60).items).toEqual([]);
  });
});

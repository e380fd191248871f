import { describe, expect, it } from 'vitest';
import { AlarmBit, StatusBit, VideoAlarmBit } from '../../../../server/device/jt808/codec/codes.ts';
import { type PositionDetails, positionDetails } from '../../../../server/device/jt808/codec/positionItems.ts';
import { Acknowledgements } from '../../../../simulator/script/acknowledgements.ts';
import { withoutMasked } from '../../../../simulator/script/alarmMasks.ts';
import { positionItemsOf } from '../../../../simulator/script/itemBytes.ts';
import { stateAt } from '../../../../simulator/script/scriptState.ts';
import type { ScriptStep, VehicleScript } from '../../../../simulator/script/vehicleScript.ts';

const mask = (...bits: readonly number[]): number => bits.reduce((word, bit) => (word | (1 << bit)) >>> 0, 0);
const at = (script: VehicleScript, seconds: number) => stateAt(script, seconds * 1000, { edition: '2019' });

describe('the state of a script', () => {
  it('of nothing is that of a vehicle that drives', () => {
    expect(at([], 100)).toEqual({
      alarm: 0,
      statusOn: 0,
      statusOff: 0,
      details: {},
      driven: { aheadMs: 0, pace: 1 },
      detourMeters: 0,
      speedKmh: undefined,
      isAbsent: false,
      kept: [],
    });
  });

  it('has the alarms that last, with what is said of them', () => {
    const script: VehicleScript = [
      {
        kind: 'alarm',
        atSeconds: 10,
        forSeconds: 20,
        bits: [AlarmBit.Overspeed],
        overspeed: { areaType: 3, areaId: 9 },
      },
      { kind: 'alarm', atSeconds: 15, bits: [AlarmBit.MainPowerLow, AlarmBit.Collision] },
    ];
    expect(at(script, 9)).toMatchObject({ alarm: 0, details: {} });
    expect(at(script, 12)).toMatchObject({ alarm: mask(1), details: { overspeed: { areaType: 3, areaId: 9 } } });
    expect(at(script, 20).alarm).toBe(mask(1, 7, 29));
    expect(at(script, 30)).toMatchObject({ alarm: mask(7, 29), details: {} });
  });

  it('has the bits of item 0x14 that the finer items stand for, and joins what several steps say', () => {
    const script: VehicleScript = [
      { kind: 'video-alarm', atSeconds: 0, lostChannels: [2, 32], faultyStorages: [13] },
      { kind: 'video-alarm', atSeconds: 5, lostChannels: [1], coveredChannels: [3], bits: [VideoAlarmBit.Overload] },
      { kind: 'video-alarm', atSeconds: 6, abnormalDriving: { types: 0b100, fatigue: 20 } },
      { kind: 'video-alarm', atSeconds: 7, abnormalDriving: { types: 0b010 } },
    ];
    expect(at(script, 1).details).toEqual({
      videoAlarms: 0b101,
      videoLostBits: mask(1, 31),
      storageFaultBits: 1 << 12,
    });
    expect(at(script, 8).details).toEqual({
      videoAlarms: 0b110111,
      videoLostBits: mask(0, 1, 31),
      videoCoveredBits: mask(2),
      storageFaultBits: 1 << 12,
      abnormalDriving: { types: 0b110, fatigue: 20 },
    });
  });

  it('has bits of the status, the speed that is reported, and whether there is a network', () => {
    const script: VehicleScript = [
      { kind: 'status', atSeconds: 0, forSeconds: 10, off: [StatusBit.AccOn], on: [StatusBit.FrontDoorOpen] },
      { kind: 'speed', atSeconds: 5, forSeconds: 5, speedKmh: 91.5 },
      { kind: 'absence', atSeconds: 8, forSeconds: 5 },
    ];
    expect(at(script, 4)).toMatchObject({ statusOn: 1 << 13, statusOff: 1, speedKmh: undefined, isAbsent: false });
    expect(at(script, 9)).toMatchObject({ speedKmh: 91.5, isAbsent: true });
    expect(at(script, 13)).toMatchObject({ statusOn: 0, statusOff: 0, speedKmh: undefined, isAbsent: false });
  });

  it('has gauges that go to their end and stay, by the step that began last', () => {
    const script: VehicleScript = [
      { kind: 'gauge', gauge: 'fuelLitres', atSeconds: 0, forSeconds: 100, from: 200, to: 150 },
      { kind: 'gauge', gauge: 'fuelLitres', atSeconds: 200, from: 180 },
      { kind: 'gauge', gauge: 'cabinCelsius', atSeconds: 10, forSeconds: 10, from: -4, to: 6 },
    ];
    expect(at(script, 5).details).toEqual({ fuelLitres: 197.5 });
    expect(at(script, 15).details).toEqual({ fuelLitres: 192.5, cabinCelsius: 1 });
    expect(at(script, 150).details).toEqual({ fuelLitres: 150, cabinCelsius: 6 });
    expect(at(script, 200).details.fuelLitres).toBe(180);
  });
});

describe('alarms that are kept up', () => {
  const emergency: ScriptStep = {
    kind: 'alarm',
    atSeconds: 10,
    everySeconds: 100,
    bits: [AlarmBit.Emergency, AlarmBit.Fatigue],
  };
  const stateOf = (seconds: number, acknowledgements: Acknowledgements, script: VehicleScript = [emergency]) =>
    stateAt(script, seconds * 1000, {
      edition: '2013',
      isAcknowledged: (step, occurrence) => acknowledgements.isAcknowledged(step, occurrence),
    });

  it('last until they are acknowledged by the serial of their position, and return with the next occurrence', () => {
    const acknowledgements = new Acknowledgements();
    const { kept } = stateOf(12, acknowledgements);
    expect(kept).toEqual([{ step: 0, occurrence: 0, alarm: 1, videoAlarms: 0 }]);
    acknowledgements.sent(7, kept);
    acknowledgements.confirm({ alarmSerial: 8, types: mask(AlarmBit.Emergency) });
    acknowledgements.confirm({ alarmSerial: 7, types: mask(AlarmBit.AreaCrossed) });
    expect(stateOf(12, acknowledgements).alarm).toBe(mask(AlarmBit.Emergency, AlarmBit.Fatigue));
    acknowledgements.confirm({ alarmSerial: 7, types: mask(AlarmBit.Emergency) });
    expect(stateOf(12, acknowledgements)).toMatchObject({ alarm: mask(AlarmBit.Fatigue), kept: [] });
    expect(stateOf(111, acknowledgements)).toMatchObject({ alarm: mask(AlarmBit.Emergency, AlarmBit.Fatigue) });
  });

  it('are all acknowledged by serial 0, but only those of the types', () => {
    const acknowledgements = new Acknowledgements();
    const door: ScriptStep = { kind: 'alarm', atSeconds: 0, bits: [AlarmBit.IllegalDoorOpening] };
    const script = [emergency, door];
    acknowledgements.sent(3, stateOf(5, acknowledgements, script).kept);
    acknowledgements.sent(4, stateOf(12, acknowledgements, script).kept);
    acknowledgements.confirm({ alarmSerial: 0, types: mask(AlarmBit.Emergency) });
    expect(stateOf(12, acknowledgements, script).alarm).toBe(mask(AlarmBit.Fatigue, AlarmBit.IllegalDoorOpening));
    acknowledgements.processed(3);
    expect(stateOf(12, acknowledgements, script).alarm).toBe(mask(AlarmBit.Fatigue));
  });

  it('of video go with the answer that the alarms of a position are processed', () => {
    const acknowledgements = new Acknowledgements();
    const full: ScriptStep = {
      kind: 'video-alarm',
      atSeconds: 0,
      bits: [VideoAlarmBit.SpecialRecordingFull, VideoAlarmBit.OtherVideoFault],
    };
    const { kept, details } = stateOf(1, acknowledgements, [full]);
    expect(details.videoAlarms).toBe(0b1001000);
    acknowledgements.sent(9, kept);
    acknowledgements.processed(9);
    expect(stateOf(1, acknowledgements, [full]).details.videoAlarms).toBe(0b1000);
  });

  it('can be named by the last 64 positions', () => {
    const acknowledgements = new Acknowledgements();
    const { kept } = stateOf(12, acknowledgements);
    for (let serial = 1; serial <= 65; serial++) acknowledgements.sent(serial, kept);
    acknowledgements.processed(1);
    expect(acknowledgements.isAcknowledged(0, 0)).toBe(false);
    acknowledgements.processed(2);
    expect(acknowledgements.isAcknowledged(0, 0)).toBe(true);
  });
});

describe('masked alarms', () => {
  const script: VehicleScript = [
    { kind: 'alarm', atSeconds: 0, bits: [AlarmBit.Overspeed, AlarmBit.Collision] },
    { kind: 'video-alarm', atSeconds: 0, lostChannels: [1], coveredChannels: [2], abnormalDriving: { types: 1 } },
  ];

  it('are not said, and neither are the items that say more of them', () => {
    const masks = {
      alarms: mask(AlarmBit.Overspeed),
      videoAlarms: mask(VideoAlarmBit.SignalLost, VideoAlarmBit.AbnormalDriving),
    };
    const { alarm, details } = withoutMasked(at(script, 1), masks);
    expect(alarm).toBe(mask(AlarmBit.Collision));
    expect(details).toEqual({ videoAlarms: mask(VideoAlarmBit.Covered), videoCoveredBits: mask(1) });
  });
});

it('the items of a position are what the gateway reads', () => {
  const details: PositionDetails = {
    mileageKm: 48_217.3,
    fuelLitres: 182.4,
    cabinCelsius: -12,
    overspeed: { areaType: 2, areaId: 4_000_000_000 },
    areaCrossed: { areaType: 4, areaId: 7, isLeaving: true },
    sectionTime: { sectionId: 8, seconds: 612, isTooLong: true },
    videoAlarms: 0x7f,
    videoLostBits: 0x8000_0001,
    videoCoveredBits: 6,
    storageFaultBits: 0xf001,
    abnormalDriving: { types: 0x8007, fatigue: 55 },
  };
  expect(positionDetails(positionItemsOf(details))).toEqual(details);
  expect(positionDetails(positionItemsOf({ overspeed: { areaType: 0 } }))).toEqual({ overspeed: { areaType: 0 } });
  expect(positionItemsOf({})).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { safetyItem } from '../../../../../../server/device/jt808/codec/activeSafety.ts';
import { createAlarmMark, readAlarmMark } from '../../../../../../server/device/jt808/codec/alarmMark.ts';
import {
  AdasType,
  DriverMonitoringType,
  hasBit,
  SafetyAlarmFlag,
  TyreAlarmBit,
  VehicleStateBit,
} from '../../../../../../server/device/jt808/codec/codes.ts';
import { encodeBody } from '../../../../../../server/device/jt808/codec/message.ts';
import type { Position } from '../../../../../../server/device/jt808/codec/messages/position.ts';
import { positionDetails } from '../../../../../../server/device/jt808/codec/positionItems.ts';
import { wallMs } from '../../../../../../shared/protocol/time.ts';
import { read, write } from './bodyHex.ts';
import { decoded } from './vectorFrames.ts';
import { hexOf, ofHex, safetyVectors } from './vectors.ts';

function positionNamed(name: string): Position {
  const vector = safetyVectors.find((each) => each.name === name);
  const body = vector && decoded(vector).body;
  if (body?.kind !== 'position') throw new Error(name);
  return body;
}

describe('alarms of active safety', () => {
  it('of one id are all there, in their order', () => {
    const { items, status } = positionNamed('0200-adas-twice-2019');
    const details = positionDetails(items, status);
    expect(Object.keys(details)).toEqual(['mileageKm', 'adas']);
    expect(details.adas?.map(({ alarmId, type }) => [alarmId, type])).toEqual([
      [0x7d7e7d7e, AdasType.LaneDeparture],
      [0x7d7e7d7f, AdasType.RoadSignRecognized],
    ]);
  });

  it('of several kinds are apart', () => {
    const { items, status } = positionNamed('0200-every-kind-2013');
    const details = positionDetails(items, status);
    expect(Object.entries(details).map(([kind, alarms]) => [kind, (alarms as unknown[]).length])).toEqual([
      ['adas', 1],
      ['driverMonitoring', 1],
      ['tyres', 1],
      ['blindSpot', 1],
      ['drivingStyle', 1],
    ]);
  });

  it('do not suffer from one that is broken', () => {
    const { items, status } = positionNamed('0200-blind-spot-twice-2019');
    const [first, second] = items;
    if (first === undefined || second === undefined) throw new Error('no items');
    const cut = { id: first.id, value: first.value.subarray(1) };
    expect(positionDetails([cut, second], status).blindSpot?.map(({ alarmId }) => alarmId)).toEqual([10]);
  });

  it('have the signs of the position, and none without it', () => {
    const { items, status } = positionNamed('0200-adas-south-west-2013');
    expect(positionDetails(items, status).adas).toMatchObject([{ latitude: -33.86882, longitude: -70.64271 }]);
    expect(positionDetails(items).adas).toMatchObject([{ latitude: 33.86882, longitude: 70.64271 }]);
  });

  it('say what they are in the numbers of the standard', () => {
    const { items } = positionNamed('0200-driver-fatigue-begins-2013');
    const [fatigue] = positionDetails(items).driverMonitoring ?? [];
    expect(fatigue).toMatchObject({
      flag: SafetyAlarmFlag.Begin,
      type: DriverMonitoringType.Fatigue,
      fatigueDegree: 7,
      time: Date.UTC(2026, 2, 14, 0, 25, 30),
      mark: { terminalId: 'FG00017', serial: 0, fileCount: 3 },
    });
    expect(hasBit(fatigue?.vehicleState ?? 0, VehicleStateBit.Fixed)).toBe(true);
    const [tyres] = positionDetails(positionNamed('0200-tyres-frost-2019').items).tyres ?? [];
    expect(tyres?.readings).toMatchObject([{ tyre: 1, celsius: -18, batteryPercent: 3 }]);
    expect(hasBit(tyres?.readings[0]?.alarms ?? 0, TyreAlarmBit.BatteryLow)).toBe(true);
  });

  it('are not built from values that do not fit', () => {
    const { items } = positionNamed('0200-driver-fatigue-begins-2013');
    const [alarm] = positionDetails(items).driverMonitoring ?? [];
    if (alarm === undefined) throw new Error('no alarm');
    for (const wrong of [{ fatigueDegree: 256 }, { speedKmh: 0.5 }, { latitude: 5000 }, { altitudeMeters: 40_000 }]) {
      expect(() => safetyItem('driverMonitoring', { ...alarm, ...wrong })).toThrow(RangeError);
    }
  });

  it('with more tyres than an item has room for do not become a position', () => {
    const position = positionNamed('0200-tyres-most-2019');
    const [alarm] = positionDetails(position.items).tyres ?? [];
    const [reading] = alarm?.readings ?? [];
    if (alarm === undefined || reading === undefined) throw new Error('no alarm');
    const item = safetyItem('tyres', { ...alarm, readings: [...alarm.readings, reading] });
    expect(() => encodeBody({ kind: 'position', ...position, items: [item] }, '2019')).toThrow(RangeError);
  });
});

describe('alarm marks', () => {
  const bytes = ofHex('46473030303137' + '260314082530' + '00' + '03' + 'ff');
  const fields = { terminalId: 'FG00017', time: wallMs(Date.UTC(2026, 2, 14, 0, 25, 30)), serial: 0, fileCount: 3 };

  it('keep all their bytes', () => {
    expect(readAlarmMark(bytes)).toEqual({ ...fields, bytes });
    expect(readAlarmMark(bytes.subarray(1))).toBeUndefined();
  });

  it('are made of what a terminal knows', () => {
    expect(hexOf(createAlarmMark(fields).bytes)).toBe(hexOf(bytes).replace(/ff$/, '00'));
    expect(readAlarmMark(createAlarmMark(fields).bytes)).toEqual(createAlarmMark(fields));
    expect(() => createAlarmMark({ ...fields, terminalId: 'FG000170' })).toThrow(RangeError);
  });

  it('go back as they came, whatever their text was read as', () => {
    const odd = ofHex('ffffffffffffff' + 'aaaaaaaaaaaa' + '010203');
    const mark = readAlarmMark(odd);
    if (mark === undefined) throw new Error('no mark');
    expect(mark.time).toBeUndefined();
    const request = { host: 'h', tcpPort: 1, udpPort: 0, mark, alarmNumber: 'N' };
    const hex = write({ kind: 'attachmentRequest', ...request });
    expect(hex).toBe(`0168${'0001'}${'0000'}${hexOf(odd)}${'4e'.padEnd(64, '0')}${'00'.repeat(16)}`);
    expect(read('attachmentRequest', hex).mark.bytes).toEqual(odd);
    expect(() => write({ kind: 'attachmentRequest', ...request, mark: { ...mark, bytes: odd.subarray(1) } })).toThrow(
      RangeError,
    );
  });
});

describe('attachment messages', () => {
  it('are not built from names and lists that do not fit', () => {
    const range = { offset: 0, lengthBytes: 1 };
    const reply = { kind: 'attachmentFileReply', name: 'a', type: 0, result: 1, missing: [range] } as const;
    expect(() => write({ ...reply, name: 'x'.repeat(256) })).toThrow(RangeError);
    expect(() => write({ ...reply, missing: Array.from({ length: 256 }, () => range) })).toThrow(RangeError);
    expect(write(reply)).toBe('0161000101' + '00000000' + '00000001');
  });

  it('have names without the zeros that some terminals count', () => {
    expect(read('attachmentFile', '03 610000 02 00000005')).toEqual({
      kind: 'attachmentFile',
      name: 'a',
      type: 2,
      sizeBytes: 5,
    });
  });
});

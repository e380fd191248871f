import { describe, expect, it } from 'vitest';
import { AlarmBit, VideoAlarmBit } from '../../../../../server/device/jt808/codec/codes.ts';
import { confirmBitsOf } from '../../../../../server/events/signals/alarmMapping.ts';
import { ALARM_TYPES, VIDEO_ALARM_TYPES } from '../../../../../shared/protocol/events/alarmTypes.ts';
import { BUILT_IN_CODES, BUILT_IN_TYPES } from '../../../../../shared/protocol/events/builtInTypes.ts';
import { bits } from './reports.ts';

const NONE = { alarms: 0, videoAlarms: 0 };

describe('what 0x8203 confirms', () => {
  it.each([
    ['emergency', bits(0), bits(0)],
    ['danger-warning', bits(3), 0],
    ['dangerous-driving', 0, 0],
    ['area-crossed', bits(20), bits(20)],
    ['route-crossed', bits(21), bits(21)],
    ['section-time', bits(22), bits(22)],
    ['unauthorized-ignition', bits(27), bits(27)],
    ['unauthorized-movement', bits(28), bits(28)],
    ['unauthorized-door', bits(31), 0],
    ['speeding', 0, 0],
    ['collision', 0, 0],
  ])('%s: 2013 %d, 2019 %d', (type, in2013, in2019) => {
    expect(confirmBitsOf(type, '2013')).toEqual({ alarms: in2013, videoAlarms: 0 });
    expect(confirmBitsOf(type, '2019')).toEqual({ alarms: in2019, videoAlarms: 0 });
  });

  it.each(['2013', '2019'] as const)('of all types together is what a terminal of %s keeps up', (edition) => {
    const all = BUILT_IN_CODES.map((code) => confirmBitsOf(code, edition));
    const masks = { alarms: all.map(({ alarms }) => alarms), videoAlarms: all.map(({ videoAlarms }) => videoAlarms) };
    expect(masks.alarms.reduce((mask, each) => (mask | each) >>> 0, 0)).toBe(
      edition === '2013' ? 0x98700009 : 0x18700001,
    );
    expect(masks.videoAlarms.reduce((mask, each) => mask | each, 0)).toBe(bits(VideoAlarmBit.SpecialRecordingFull));
  });

  it('is of the video alarms the full storage alone', () => {
    expect(confirmBitsOf('alarm-recording-full', '2019')).toEqual({ alarms: 0, videoAlarms: bits(6) });
    expect(confirmBitsOf('video-loss', '2019')).toEqual(NONE);
  });

  it.each(['speeding-own', '', 'constructor'])('is nothing for a type that is no bit: %j', (type) => {
    expect(confirmBitsOf(type, '2013')).toEqual(NONE);
  });
});

describe('the names of the bits', () => {
  it('have a place for each bit that the codec knows, under types that there are', () => {
    const named = [...ALARM_TYPES['2013'], ...ALARM_TYPES['2019'], ...VIDEO_ALARM_TYPES];
    expect(named.filter((code) => code !== undefined && !Object.hasOwn(BUILT_IN_TYPES, code))).toEqual([]);
    for (const bit of Object.values(AlarmBit)) {
      expect(ALARM_TYPES['2013'][bit] ?? ALARM_TYPES['2019'][bit], `bit ${bit}`).toBeDefined();
    }
    expect(VIDEO_ALARM_TYPES).toHaveLength(Object.keys(VideoAlarmBit).length);
  });

  it.each([ALARM_TYPES['2013'], ALARM_TYPES['2019'], VIDEO_ALARM_TYPES])('stand for one bit each (%#)', (...types) => {
    const named = types.filter((type) => type !== undefined);
    expect(new Set(named).size).toBe(named.length);
  });
});

// Which event type each alarm bit of a terminal stands for: bits of the alarm word (0x0200; masks 0x0050 to 0x0054) and of the
// video alarms (item 0x14; mask 0x007A).
import type { BuiltInCode } from './builtInTypes.ts';

/** The editions of JT/T 808 whose alarm words differ; that of 2011 is the one of 2013. */
export type AlarmEdition = '2013' | '2019';

type TypesByBit = Readonly<Record<number, BuiltInCode>>;

const OF_BOTH_EDITIONS: TypesByBit = {
  0: 'emergency',
  1: 'speeding',
  2: 'fatigue',
  4: 'gnss-fault',
  5: 'gnss-antenna-open',
  6: 'gnss-antenna-short',
  7: 'power-low',
  8: 'power-lost',
  9: 'display-fault',
  10: 'voice-fault',
  11: 'camera-fault',
  12: 'card-reader-fault',
  13: 'speeding-warning',
  14: 'fatigue-warning',
  18: 'driving-time',
  19: 'parked-too-long',
  20: 'area-crossed',
  21: 'route-crossed',
  22: 'section-time',
  23: 'off-route',
  24: 'speed-sensor-fault',
  25: 'fuel-abnormal',
  26: 'theft',
  27: 'unauthorized-ignition',
  28: 'unauthorized-movement',
  30: 'rollover-warning',
};

const BY_EDITION: Readonly<Record<AlarmEdition, TypesByBit>> = {
  '2013': { ...OF_BOTH_EDITIONS, 3: 'danger-warning', 29: 'collision-warning', 31: 'unauthorized-door' },
  '2019': {
    ...OF_BOTH_EDITIONS,
    3: 'dangerous-driving',
    15: 'driving-violation',
    16: 'tire-pressure',
    17: 'right-turn-blind-spot',
    29: 'collision',
  },
};

/** By bit number of the alarm word; undefined: the edition reserves the bit, and what a terminal means by it is unknown. */
export const ALARM_TYPES: Readonly<Record<AlarmEdition, readonly (BuiltInCode | undefined)[]>> = {
  '2013': allBits(BY_EDITION['2013']),
  '2019': allBits(BY_EDITION['2019']),
};

/** By bit number of the video alarms; the higher bits are reserved. */
export const VIDEO_ALARM_TYPES = [
  'video-loss',
  'video-covered',
  'storage-fault',
  'video-fault',
  'passenger-overload',
  'abnormal-driving',
  'alarm-recording-full',
] as const satisfies readonly BuiltInCode[];

function allBits(types: TypesByBit): readonly (BuiltInCode | undefined)[] {
  return Array.from({ length: 32 }, (_, bit) => types[bit]);
}

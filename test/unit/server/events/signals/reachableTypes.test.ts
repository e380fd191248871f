// No built-in type is dead: each is reported by a terminal, found by a rule, or raised by the gateway itself.
import { expect, it } from 'vitest';
import {
  BY_FENCE_ALONE,
  BY_RULE_ALONE,
  BY_UPKEEP_ALONE,
  isReported,
} from '../../../../../server/events/config/reportedTypes.ts';
import { CustomTypes } from '../../../../../server/events/signals/customTypes.ts';
import { observationOf } from '../../../../../server/events/signals/observation.ts';
import { BUILT_IN_CODES, BUILT_IN_TYPES, builtInType } from '../../../../../shared/protocol/events/builtInTypes.ts';
import { bits, item, messageReport, positionReport } from './reports.ts';
import { safetyAlarm, tyre } from './safety.ts';

const bytes = Array.from({ length: 256 }, (_, byte) => byte);
const words = Array.from({ length: 32 }, (_, bit) => bits(bit));
const wordHex = (word: number): string => word.toString(16).padStart(8, '0');

const REPORTS = [
  ...(['2013', '2019'] as const).flatMap((edition) => words.map((alarm) => positionReport({ alarm, edition }))),
  positionReport({ alarm: bits(1), items: [item(0x11, '0100000007')] }),
  ...words.map((word) => positionReport({ items: [item(0x14, wordHex(word))] })),
  positionReport({ items: [item(0x18, '0007')] }),
  ...bytes.map((event) => messageReport({ kind: 'mediaEvent', mediaId: 1, type: 0, format: 0, event, channel: 1 })),
  ...(['adas', 'driverMonitoring', 'blindSpot', 'drivingStyle'] as const).flatMap((kind) =>
    bytes.map((type) => positionReport({ items: [safetyAlarm(kind, { type })] })),
  ),
  positionReport({ items: [safetyAlarm('tyres', { readings: [tyre(0, bits(1))] })] }),
];

const reported = new Set(
  REPORTS.flatMap((report) => observationOf(report, new CustomTypes([]))?.signals ?? []).map(({ type }) => type),
);

it('what terminals report has a built-in type', () => {
  expect([...reported].filter((code) => builtInType(code) === undefined)).toEqual([]);
});

it('each built-in type is reported by some report, but for those of rules, of fences, of upkeep and of the gateway', () => {
  const others = BUILT_IN_CODES.filter((code) => !reported.has(code));
  const ofSystem = BUILT_IN_CODES.filter((code) => BUILT_IN_TYPES[code].category === 'system');
  expect(others.toSorted()).toEqual([...BY_RULE_ALONE, ...BY_FENCE_ALONE, ...BY_UPKEEP_ALONE, ...ofSystem].toSorted());
});

it('what is said to be reported is', () => {
  expect(BUILT_IN_CODES.filter(isReported).toSorted()).toEqual([...reported].toSorted());
  expect(isReported('custom-1a2b3c4d5e')).toBe(true);
});

it('what no terminal reports has a rule, or belongs to the gateway', () => {
  expect(BY_RULE_ALONE.filter((code) => builtInType(code)?.hasRule !== true)).toEqual([]);
});

// What a script says once: alarms of active safety, and messages of their own.
import { SafetyAlarmFlag } from '../../server/device/jt808/codec/codes.ts';
import { endOf, type Occurrence, occurrenceAt } from './timing.ts';
import type { MomentStep, SafetyStep, VehicleScript } from './vehicleScript.ts';

export type ScriptMoment =
  | { readonly kind: 'message'; readonly atMs: number; readonly step: MomentStep }
  | {
      readonly kind: 'safety';
      readonly atMs: number;
      readonly flag: SafetyAlarmFlag;
      /** The same where an alarm begins and where it ends. */
      readonly alarm: string;
      readonly step: SafetyStep;
    };

/** After one time and up to another, in their order. Of what came several times only the last: a clock that stood has missed it. */
export function momentsIn(script: VehicleScript, afterMs: number, toMs: number): ScriptMoment[] {
  const isIn = ({ atMs }: ScriptMoment): boolean => atMs > afterMs && atMs <= toMs;
  return script
    .flatMap((step, index) => {
      const occurrence = occurrenceAt(step, toMs);
      if (occurrence === undefined) return [];
      switch (step.kind) {
        case 'safety':
          return safetyMoments(step, index, occurrence);
        case 'media-event':
        case 'driver-card':
        case 'passengers':
        case 'driver-event':
        case 'passthrough':
          return [{ kind: 'message', atMs: occurrence.startMs, step } as const];
        default:
          return [];
      }
    })
    .filter(isIn)
    .sort((left, right) => left.atMs - right.atMs);
}

function safetyMoments(step: SafetyStep, index: number, occurrence: Occurrence): ScriptMoment[] {
  const moment = { kind: 'safety', step, alarm: `${index}/${occurrence.number}` } as const;
  const { startMs } = occurrence;
  if (step.forSeconds === undefined) return [{ ...moment, atMs: startMs, flag: SafetyAlarmFlag.Momentary }];
  return [
    { ...moment, atMs: startMs, flag: SafetyAlarmFlag.Begin },
    { ...moment, atMs: endOf(step, occurrence), flag: SafetyAlarmFlag.End },
  ];
}

import { AdasType, SafetyAlarmFlag } from '../../server/device/jt808/codec/codes.ts';
import type { BodyOf, MessageBody } from '../../server/device/jt808/codec/message.ts';
import type { After } from '../../server/faults/timers.ts';
import type { ReportedPosition } from '../positionReport.ts';
import type { AlarmStorm } from '../quirks.ts';
import type { AlarmMarks } from './alarmMarks.ts';
import { safetyItemOf } from './safetyItems.ts';
import { maskOf } from './scriptState.ts';

export interface StormRunnerDeps {
  readonly storm: AlarmStorm;
  readonly marks: AlarmMarks;
  readonly position: () => ReportedPosition;
  readonly sendOnce: (body: MessageBody) => void;
  readonly runAfter: After;
}

const BURST_MS = 100;
const STORM_ALARM = { item: 'adas', type: AdasType.LaneDeparture } as const;

/** Owns its timer from `start` to `stop`. */
export class StormRunner {
  readonly #deps: StormRunnerDeps;
  #positions = 0;
  #cancel: (() => void) | undefined;

  constructor(deps: StormRunnerDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.stop();
    const { storm, sendOnce, runAfter } = this.#deps;
    const inBurst = Math.ceil((storm.positionsPerSecond * BURST_MS) / 1000);
    for (let count = 0; count < inBurst; count++) sendOnce(this.#next());
    this.#cancel = runAfter(BURST_MS, () => this.start());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #next(): BodyOf<'position'> {
    const { storm, marks, position: positionNow } = this.#deps;
    const position = positionNow();
    const isSet = this.#positions++ % 2 === 0;
    const alarm = isSet ? (position.alarm | maskOf(storm.bits)) >>> 0 : position.alarm;
    if (storm.hasSafetyAlarms !== true) return { ...position, alarm };
    const head = { ...marks.next(position.time, 0), flag: SafetyAlarmFlag.Momentary };
    return { ...position, alarm, items: [...position.items, safetyItemOf(STORM_ALARM, head, position)] };
  }
}

// The numbers by which a terminal tells its active-safety alarms apart.
import { type AlarmMark, createAlarmMark } from '../../server/device/jt808/codec/alarmMark.ts';
import type { WallMs } from '../../shared/protocol/time.ts';

export interface AlarmIdentity {
  readonly alarmId: number;
  readonly mark: AlarmMark;
}

export class AlarmMarks {
  readonly #terminalId: string;
  #alarms = 0;
  #lastSecond = 0;
  #serial = 0;

  constructor(terminalId: string) {
    this.#terminalId = terminalId;
  }

  next(time: WallMs, fileCount: number): AlarmIdentity {
    const second = Math.floor(time / 1000);
    this.#serial = second === this.#lastSecond ? (this.#serial + 1) & 0xff : 0;
    this.#lastSecond = second;
    this.#alarms++;
    return {
      alarmId: this.#alarms,
      mark: createAlarmMark({ terminalId: this.#terminalId, time, serial: this.#serial, fileCount }),
    };
  }
}

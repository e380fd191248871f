// The identifier of an alarm in T/JSATL 12: it comes with the alarm, and is sent back to ask for the alarm's files.
import type { WallMs } from '../../../../shared/protocol/time.ts';
import { type Field, layout, localTime, paddedText, Reader, u8, Writer, withReserved } from './fields.ts';

export interface AlarmMark {
  /** The hardware's ID, not the number that the terminal signs in with. */
  readonly terminalId: string;
  readonly time: WallMs | undefined;
  /** Number of the alarm among those of the same second, from 0. */
  readonly serial: number;
  /** Number of files that the terminal has of the alarm. */
  readonly fileCount: number;
  /** All 16 bytes as they came. They alone are written: a terminal looks for exactly its own bytes. */
  readonly bytes: Uint8Array;
}

const ALARM_MARK_BYTES = 16;
const markFields = withReserved(layout({ terminalId: paddedText(7), time: localTime, serial: u8, fileCount: u8 }), 1);

export const alarmMark: Field<AlarmMark> = {
  read(from) {
    const bytes = from.bytes(ALARM_MARK_BYTES);
    return { ...markFields.read(new Reader(bytes, from.edition)), bytes };
  },
  write(to, { bytes }) {
    if (bytes.length !== ALARM_MARK_BYTES) throw new RangeError(`alarm mark of ${bytes.length} bytes`);
    to.bytes(bytes);
  },
};

/** A mark from its stored bytes; undefined for another number of bytes. */
export function readAlarmMark(bytes: Uint8Array): AlarmMark | undefined {
  return bytes.length === ALARM_MARK_BYTES ? alarmMark.read(new Reader(bytes, '2013')) : undefined;
}

/** A mark as a terminal makes it. Throws a RangeError for values that do not fit. */
export function createAlarmMark(fields: Omit<AlarmMark, 'bytes'>): AlarmMark {
  const to = new Writer('2013');
  markFields.write(to, fields);
  return { ...fields, bytes: to.finish() };
}

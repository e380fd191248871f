// When alarms begin. A terminal repeats a standing alarm in every report: counted is only the first of them.

export interface AlarmOnset {
  /** Of the device. */
  readonly incarnation: number;
  /** Bit of the alarm word. */
  readonly alarm: number;
  /** The gateway's clock for what is reported as it happens, the device's for what it makes up for. */
  readonly atMs: number;
}

const BITS = 32;
/** An alarm that clears and returns within this time counts once; otherwise a loose contact would be the busiest device. */
const SAME_ALARM_MS = 60_000;

interface ActiveAlarms {
  bits: number;
  /** When each bit was last set, by its number. */
  readonly lastSetMs: Map<number, number>;
}

export class AlarmOnsets {
  readonly #active = new Map<number, ActiveAlarms>();

  /** Notes alarms that were active before the gateway started. */
  begin(incarnation: number, bits: number, atMs: number): void {
    this.note(incarnation, bits, atMs);
  }

  /** The alarms that begin with this report. Reports come in the order of their times. */
  note(incarnation: number, bits: number, atMs: number): AlarmOnset[] {
    const active = this.#active.get(incarnation);
    if (bits === 0) {
      if (active !== undefined) active.bits = 0;
      return [];
    }
    const known = active ?? { bits: 0, lastSetMs: new Map<number, number>() };
    this.#active.set(incarnation, known);
    const onsets: AlarmOnset[] = [];
    for (let alarm = 0; alarm < BITS; alarm++) {
      if (!hasBit(bits, alarm)) continue;
      const lastMs = known.lastSetMs.get(alarm);
      const isSame = hasBit(known.bits, alarm) || (lastMs !== undefined && atMs - lastMs < SAME_ALARM_MS);
      known.lastSetMs.set(alarm, atMs);
      if (!isSame) onsets.push({ incarnation, alarm, atMs });
    }
    known.bits = bits;
    return onsets;
  }

  forget(incarnation: number): void {
    this.#active.delete(incarnation);
  }
}

function hasBit(bits: number, bit: number): boolean {
  return ((bits >>> bit) & 1) === 1;
}

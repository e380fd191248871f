// Cuts a byte stream of Annex B into its units, in linear time for chunks of any size. Pure except for its own state.
import { MAX_PAYLOAD_BYTES } from '../../../shared/protocol/stream/streamPacket.ts';

export interface TimedUnit {
  /** Bytes from the NAL header on, including trailing zeros. */
  readonly bytes: Uint8Array;
  /** Time of the chunk in which the unit begins, if it is the first one there. */
  readonly timeUs: number | undefined;
  /** Whether bytes before it were left out. */
  readonly isBehindLoss: boolean;
}

interface Mark {
  readonly at: number;
  readonly timeUs: number;
}

const START_CODE_BYTES = 3;

export class UnitSplitter {
  #bytes: Uint8Array = new Uint8Array();
  /** Begin of the incomplete unit; undefined before the first start code. */
  #start: number | undefined;
  #searchFrom = 0;
  #startTimeUs: number | undefined;
  #marks: Mark[] = [];
  #isBehindLoss = false;

  /** `timeUs` is that of the first unit that begins in the chunk. */
  push(chunk: Uint8Array, timeUs?: number): TimedUnit[] {
    if (timeUs !== undefined) this.#marks.push({ at: this.#bytes.length, timeUs });
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    const units: TimedUnit[] = [];
    for (;;) {
      const code = this.#nextCode();
      if (code === undefined) break;
      this.#finish(code, units);
      this.#start = code + START_CODE_BYTES;
      this.#startTimeUs = this.#takeTime(code);
      this.#searchFrom = this.#start;
    }
    this.#forget();
    return units;
  }

  end(): TimedUnit[] {
    const units: TimedUnit[] = [];
    this.#finish(this.#bytes.length, units);
    this.#start = undefined;
    this.#bytes = new Uint8Array();
    return units;
  }

  /** Called when the next data don't continue the previous ones. */
  lose(): void {
    this.#start = undefined;
    this.#bytes = new Uint8Array();
    this.#searchFrom = 0;
    this.#marks = [];
    this.#isBehindLoss = true;
  }

  #nextCode(): number | undefined {
    const bytes = this.#bytes;
    for (let at = bytes.indexOf(1, this.#searchFrom + 2); at >= 0; at = bytes.indexOf(1, at + 1)) {
      if (bytes[at - 1] === 0 && bytes[at - 2] === 0) return at - 2;
    }
    return undefined;
  }

  #finish(end: number, units: TimedUnit[]): void {
    if (this.#start === undefined || end <= this.#start) return;
    // This is a copy: keeping a part of the stream would keep all of it.
    const bytes = new Uint8Array(this.#bytes.subarray(this.#start, end));
    units.push({ bytes, timeUs: this.#startTimeUs, isBehindLoss: this.#isBehindLoss });
    this.#isBehindLoss = false;
  }

  #takeTime(code: number): number | undefined {
    // This is the first byte of a start code of four bytes, where it has four.
    const begin = this.#bytes[code - 1] === 0 ? code - 1 : code;
    let timeUs: number | undefined;
    for (let [mark] = this.#marks; mark !== undefined && mark.at <= begin; [mark] = this.#marks) {
      timeUs = mark.timeUs;
      this.#marks.shift();
    }
    return timeUs;
  }

  /** Keeps the bytes that the next chunk may continue. */
  #forget(): void {
    const isTooLong = this.#start !== undefined && this.#bytes.length - this.#start > MAX_PAYLOAD_BYTES;
    if (isTooLong) {
      this.#start = undefined;
      this.#isBehindLoss = true;
    }
    const kept = Math.max(0, this.#bytes.length - 2);
    const from = this.#start ?? kept;
    this.#bytes = this.#bytes.subarray(from);
    this.#start = this.#start === undefined ? undefined : 0;
    this.#searchFrom = Math.max(0, kept - from);
    this.#marks = this.#marks.map(({ at, timeUs }) => ({ at: at - from, timeUs }));
  }
}

// Returns positions in the order of the gateway's clock. If a device's clock was set, some stretches of its clock overlap by the gateway's,
// so the stretches are merged.
import type { DeviceClock } from '../../../shared/protocol/tracks/deviceClock.ts';
import type { TrackColumns, TrackField, TrackReading } from '../trackReading.ts';

/** Columns with the gateway's clock beside the device's. */
export type TimedColumns<Field extends TrackField> = TrackColumns<Field> & { readonly atMs: Float64Array };

export interface TrackQuery {
  readonly incarnation: number;
  readonly clock: DeviceClock;
  /** Times of the gateway's clock, half open. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Parts have as many positions as `reading` returns at once, or fewer. */
export async function* inGatewayOrder<Field extends TrackField>(
  reading: TrackReading,
  { incarnation, clock, fromMs, toMs }: TrackQuery,
  fields: readonly Field[],
): AsyncGenerator<TimedColumns<Field>> {
  const stretches = clock
    .deviceSpans(fromMs, toMs)
    .map((span) => ({ ...span, offsetMs: clock.offsetAt(span.fromMs) }))
    .sort((left, right) => left.fromMs + left.offsetMs - (right.fromMs + right.offsetMs));
  const open: Stretch<Field>[] = [];
  try {
    for (;;) {
      const next = stretches[0];
      const nextMs = next === undefined ? Number.POSITIVE_INFINITY : next.fromMs + next.offsetMs;
      const first = earliest(open);
      if (next !== undefined && (first === undefined || nextMs <= first.headMs)) {
        stretches.shift();
        const opened = new Stretch(reading.columns(incarnation, next, fields), next.offsetMs, fields);
        if (await opened.advance()) open.push(opened);
      } else if (first === undefined) return;
      else {
        const others = open.filter((each) => each !== first).map(({ headMs }) => headMs);
        yield first.takeBefore(Math.min(nextMs, ...others));
        if (!(await first.advance())) open.splice(open.indexOf(first), 1);
      }
    }
  } finally {
    for (const stretch of open) await stretch.close();
  }
}

function earliest<Field extends TrackField>(open: readonly Stretch<Field>[]): Stretch<Field> | undefined {
  let found: Stretch<Field> | undefined;
  for (const stretch of open) if (found === undefined || stretch.headMs < found.headMs) found = stretch;
  return found;
}

/** The positions of a stretch that were read and not yet taken. */
class Stretch<Field extends TrackField> {
  readonly #parts: AsyncIterator<TrackColumns<Field>>;
  readonly #offsetMs: number;
  readonly #fields: readonly Field[];
  #part: TimedColumns<Field> | undefined;
  #at = 0;

  constructor(parts: AsyncIterable<TrackColumns<Field>>, offsetMs: number, fields: readonly Field[]) {
    this.#parts = parts[Symbol.asyncIterator]();
    this.#offsetMs = offsetMs;
    this.#fields = fields;
  }

  /** Time of the next position. */
  get headMs(): number {
    return this.#part?.atMs[this.#at] ?? Number.POSITIVE_INFINITY;
  }

  /** Reads on where everything was taken; false at the end. */
  async advance(): Promise<boolean> {
    while (this.#part === undefined || this.#at >= this.#part.count) {
      const { done, value } = await this.#parts.next();
      if (done === true) return false;
      this.#part = Object.assign({ atMs: shifted(value.deviceTimeMs, this.#offsetMs) }, value);
      this.#at = 0;
    }
    return true;
  }

  /** Takes at least one, so that stretches with the same moment make progress. */
  takeBefore(limitMs: number): TimedColumns<Field> {
    if (this.#part === undefined) throw new Error('nothing was read');
    const begin = this.#at;
    this.#at = Math.max(begin + 1, firstNotBefore(this.#part.atMs, limitMs));
    return begin === 0 && this.#at === this.#part.count ? this.#part : this.#cut(this.#part, begin, this.#at);
  }

  #cut(part: TimedColumns<Field>, begin: number, end: number): TimedColumns<Field> {
    return cutColumns(part, this.#fields, begin, end);
  }

  async close(): Promise<void> {
    await this.#parts.return?.();
  }
}

function shifted(moments: Float64Array, offsetMs: number): Float64Array {
  return offsetMs === 0 ? moments : moments.map((atMs) => atMs + offsetMs);
}

/** Some of the positions; no column is copied. */
export function cutColumns<Field extends TrackField>(
  part: TimedColumns<Field>,
  fields: readonly Field[],
  begin: number,
  end: number,
): TimedColumns<Field> {
  const names = ['deviceTimeMs', 'atMs', ...fields] as const;
  const columns = names.map((name) => [name, part[name].subarray(begin, end)] as const);
  return { ...Object.fromEntries(columns), count: end - begin } as TimedColumns<Field>;
}

/** The times must be in ascending order. */
function firstNotBefore(atMs: Float64Array, limitMs: number): number {
  let [low, high] = [0, atMs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((atMs[middle] ?? Number.POSITIVE_INFINITY) < limitMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Reads the stored positions of a device in pages.
import { wallMs } from '../../../shared/protocol/time.ts';
import type { TrackColumns, TrackField } from '../../store/fleet/positionColumns.ts';
import type { PositionStore } from '../../store/fleet/positions.ts';
import type { TrackedPosition } from '../trips/trackPoint.ts';

interface DeviceSpan {
  /** Times of the device's clock, half open. */
  readonly fromMs: number;
  readonly toMs: number;
}

export interface PositionReader {
  /** To be called once for each stretch that is computed. */
  open(incarnation: number): DevicePositions;
}

export interface DevicePositions {
  /** In the order of the device's clock. A span that begins where an earlier one ended continues there, without reading anything twice. */
  read(span: DeviceSpan): AsyncIterable<readonly TrackedPosition[]>;
}

/** Positions per page: some milliseconds of the thread that relays media. */
const PAGE = 500;
const FIELDS = [
  'receivedAtMs',
  'isLate',
  'latitude',
  'longitude',
  'speedKmh',
  'statusBits',
  'mileageKm',
  'fuelLiters',
] as const satisfies readonly TrackField[];
type Columns = TrackColumns<(typeof FIELDS)[number]>;

export function createPositionReader({ columns }: Pick<PositionStore, 'columns'>): PositionReader {
  return {
    open: (incarnation) => {
      /** Cursors by the time at which they continue. A device whose clock was set has several. */
      const cursors = new Map<number, Cursor>();
      const openAt = (fromMs: number): Cursor =>
        new Cursor(columns(incarnation, { fromMs, toMs: Number.MAX_SAFE_INTEGER }, FIELDS));
      return {
        read: async function* ({ fromMs, toMs }) {
          const cursor = cursors.get(fromMs) ?? openAt(fromMs);
          cursors.delete(fromMs);
          for (let page = await cursor.next(toMs); page.length > 0; page = await cursor.next(toMs)) yield page;
          cursors.set(toMs, cursor);
        },
      };
    },
  };
}

/** Positions that were unpacked together and are after the span wait for the next one. */
class Cursor {
  readonly #parts: AsyncIterator<Columns>;
  #part: Columns | undefined;
  #at = 0;
  #isDone = false;

  constructor(parts: AsyncIterable<Columns>) {
    this.#parts = parts[Symbol.asyncIterator]();
  }

  /** The next page; empty: there are no more positions before that moment. */
  async next(toMs: number): Promise<TrackedPosition[]> {
    const part = await this.#look();
    const page: TrackedPosition[] = [];
    if (part === undefined) return page;
    for (; this.#at < part.count && page.length < PAGE; this.#at++) {
      if ((part.deviceTimeMs[this.#at] ?? 0) >= toMs) break;
      page.push(positionAt(part, this.#at));
    }
    return page;
  }

  async #look(): Promise<Columns | undefined> {
    while (!this.#isDone && (this.#part === undefined || this.#at >= this.#part.count)) {
      const next = await this.#parts.next();
      this.#isDone = next.done === true;
      this.#part = next.done === true ? undefined : next.value;
      this.#at = 0;
    }
    return this.#part;
  }
}

function positionAt(columns: Columns, at: number): TrackedPosition {
  return {
    deviceTimeMs: wallMs(columns.deviceTimeMs[at] ?? 0),
    receivedAtMs: wallMs(columns.receivedAtMs[at] ?? 0),
    isLate: columns.isLate[at] === 1,
    latitude: columns.latitude[at] ?? 0,
    longitude: columns.longitude[at] ?? 0,
    speedKmh: numberOr(columns.speedKmh[at]),
    statusBits: columns.statusBits[at] ?? 0,
    mileageKm: numberOr(columns.mileageKm[at]),
    fuelLiters: numberOr(columns.fuelLiters[at]),
  };
}

/** NaN stands for a value that wasn't reported. */
function numberOr(value = Number.NaN): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}

// Goes through one device's positions in the order of its clock for lines on maps: the first parts of blocks, and the same columns of rows.
// Some blocks are read at once, and the next ones while the caller works on these.
import type { StoreDb } from '../engine/database.ts';
import { readNumberColumns } from '../engine/numberColumns.ts';
import { blockHeads } from './blockLookup.ts';
import { type LineColumn, readLine } from './blocks/blockCodec.ts';
import type { OnDamagedBlock } from './blocks/damagedBlocks.ts';
import { comparePlaces, type PositionPlace } from './blocks/storedPosition.ts';
import { rowsBetween } from './positionRows.ts';
import type { Places } from './positionWalk.ts';

/** Number of blocks that are read at once. */
const BLOCKS_PER_LOOK = 8;
/** Rows come as arrays: receiving them from another thread takes a fraction of a millisecond. */
const ROWS_PER_LOOK = 8_192;

const ROW_COLUMNS = {
  id: 'id',
  deviceTimeMs: 'device_time_ms',
  latitude: 'latitude',
  longitude: 'longitude',
  speedKmh: 'speed_kmh',
  headingDeg: 'heading_deg',
  altitudeM: 'altitude_m',
  statusBits: 'status_bits',
} as const satisfies Record<LineColumn, string>;

const PLACE = ['id', 'deviceTimeMs'] as const;

/** Half open, by the device's clock. */
export interface LineSpan {
  readonly incarnation: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** The columns that are read beside the places of positions. */
  readonly names: readonly LineColumn[];
  /** The damaged block is skipped, so that the rest can be read. */
  readonly onDamagedBlock: OnDamagedBlock;
}

/** The requested columns, never empty. Other parts may share the memory. */
export type LinePart = Places & Readonly<Partial<Record<LineColumn, Float64Array>>>;

export async function* walkLine(db: StoreDb, span: LineSpan): AsyncGenerator<LinePart> {
  const walk = new LineWalk(db, span);
  let next: Promise<Look> | undefined = walk.look();
  while (next !== undefined) {
    const look = await next;
    next = walk.isDone ? undefined : walk.look();
    // A caller that stops here never handles this promise.
    next?.catch(() => undefined);
    yield* partsOf(look);
  }
}

interface Look {
  readonly blocks: readonly Stretch[];
  readonly rows: Stretch;
}

/** Positions from `begin` to before `end`. */
interface Stretch {
  readonly columns: LinePart;
  readonly begin: number;
  readonly end: number;
}

interface Head {
  readonly id: number;
  readonly to_ms: number;
}

class LineWalk {
  isDone = false;
  readonly #db: StoreDb;
  readonly #span: LineSpan;
  readonly #names: readonly LineColumn[];
  #behind: PositionPlace | undefined;
  /** Blocks that are finished and end where the walk is. */
  #passed: readonly Head[] = [];
  /** Blocks that may have positions left. */
  #opened: ReadonlyMap<number, LinePart> = new Map();
  readonly #damaged: number[] = [];

  constructor(db: StoreDb, span: LineSpan) {
    this.#db = db;
    this.#span = span;
    this.#names = [...new Set([...PLACE, ...span.names])];
  }

  async look(): Promise<Look> {
    for (;;) {
      const heads = await this.#heads(['id', 'to_ms', 'data']);
      const isFull = heads.length === BLOCKS_PER_LOOK;
      const lastMs = isFull ? Math.max(...heads.map((head) => head.to_ms)) : undefined;
      // Rows are read before the blocks are compared: positions that are packed afterwards are among the rows, and positions that were
      // packed before are in a block that differs.
      const [rows, opened] = await Promise.all([this.#rows(lastMs), this.#open(heads)]);
      const blocks = opened.filter((block) => block !== undefined);
      // One block is damaged: it is skipped from now on.
      if (blocks.length < opened.length) continue;
      const again = await this.#heads(['id']);
      const isSame = again.length === heads.length && again.every(({ id }, at) => id === heads[at]?.id);
      if (isSame) return this.#taken(rows, { heads, blocks, isFull });
    }
  }

  #taken(
    rows: LinePart,
    {
      heads,
      blocks,
      isFull,
    }: { readonly heads: readonly Head[]; readonly blocks: readonly LinePart[]; readonly isFull: boolean },
  ): Look {
    const endOfRows = rows.id.length === ROWS_PER_LOOK ? lastOf(rows) : undefined;
    const lastBlock = isFull ? blocks.at(-1) : undefined;
    const until = earlier(endOfRows, lastBlock === undefined ? undefined : lastOf(lastBlock));
    const behind = this.#behind;
    const stretches = blocks.map((columns) => this.#stretchOf(columns, behind, until));
    const look = { blocks: stretches.filter(isFilled), rows: this.#stretchOf(rows, behind, until) };
    this.isDone = until === undefined;
    if (until !== undefined) this.#moveTo(until, heads, blocks);
    return look;
  }

  #moveTo(until: PositionPlace, heads: readonly Head[], blocks: readonly LinePart[]): void {
    const isOver = (at: number): boolean => {
      const columns = blocks[at];
      return columns !== undefined && comparePlaces(lastOf(columns), until) <= 0;
    };
    if (this.#behind === undefined || comparePlaces(this.#behind, until) < 0) this.#behind = until;
    const behindMs = this.#behind.deviceTimeMs;
    const over = heads.filter((_, at) => isOver(at));
    this.#passed = [...this.#passed, ...over].filter(({ to_ms: toMs }) => toMs === behindMs);
    const left = heads.flatMap(({ id }, at) => {
      const columns = blocks[at];
      return columns === undefined || isOver(at) ? [] : [[id, columns] as const];
    });
    this.#opened = new Map(left);
  }

  /** Positions in the span, after the place of the walk, and not after `until`. */
  #stretchOf(columns: LinePart, behind: PositionPlace | undefined, until: PositionPlace | undefined): Stretch {
    const { fromMs, toMs } = this.#span;
    const isBefore = (place: PositionPlace): boolean =>
      place.deviceTimeMs < fromMs || (behind !== undefined && comparePlaces(place, behind) <= 0);
    const isWithin = (place: PositionPlace): boolean =>
      place.deviceTimeMs < toMs && (until === undefined || comparePlaces(place, until) <= 0);
    return { columns, begin: firstNot(columns, isBefore), end: firstNot(columns, isWithin) };
  }

  /** The blocks that the walk is in, or reaches next. */
  #heads<Column extends 'id' | 'to_ms' | 'data'>(columns: readonly Column[]) {
    const { incarnation, fromMs, toMs } = this.#span;
    const range = { fromMs: this.#behind?.deviceTimeMs ?? fromMs, beforeMs: toMs, isBackward: false };
    const except = [...this.#damaged, ...this.#passed.map(({ id }) => id)];
    return blockHeads(this.#db, { incarnation, ...range, except }, columns)
      .limit(BLOCKS_PER_LOOK)
      .execute();
  }

  #rows(lastMs: number | undefined): Promise<LinePart> {
    const { incarnation, fromMs, toMs } = this.#span;
    const behind = this.#behind;
    let rows = rowsBetween(this.#db, incarnation, {
      fromMs: Math.max(fromMs, behind?.deviceTimeMs ?? fromMs),
      toMs: lastMs === undefined ? toMs : Math.min(toMs, lastMs + 1),
    }).select(this.#names.map((name) => `${ROW_COLUMNS[name]} as ${name}` as const));
    if (behind !== undefined)
      rows = rows.where(({ or, eb }) => or([eb('device_time_ms', '>', behind.deviceTimeMs), eb('id', '>', behind.id)]));
    return readNumberColumns(this.#db, rows.orderBy('device_time_ms').orderBy('id').limit(ROWS_PER_LOOK), this.#names);
  }

  #open(heads: readonly { readonly id: number; readonly data: Uint8Array }[]): Promise<(LinePart | undefined)[]> {
    return Promise.all(
      heads.map(async ({ id, data }) => {
        const known = this.#opened.get(id);
        if (known !== undefined) return known;
        const opened = await readLine<LineColumn>(data, this.#names);
        if (opened.ok) return opened.value;
        const { incarnation, onDamagedBlock } = this.#span;
        onDamagedBlock({ id, incarnation, why: opened.why });
        this.#damaged.push(id);
        return undefined;
      }),
    );
  }
}

/** Blocks follow one another in time, and rows lie between them or among their positions. */
function* partsOf({ blocks, rows }: Look): Generator<LinePart> {
  let begin = rows.begin;
  for (const block of blocks) {
    const first = placeAt(block.columns, block.begin);
    const last = placeAt(block.columns, block.end - 1);
    const before = Math.max(
      begin,
      Math.min(
        rows.end,
        firstNot(rows.columns, (row) => comparePlaces(row, first) < 0),
      ),
    );
    const behind = Math.max(
      before,
      Math.min(
        rows.end,
        firstNot(rows.columns, (row) => comparePlaces(row, last) < 0),
      ),
    );
    if (begin < before) yield cut({ columns: rows.columns, begin, end: before });
    yield before === behind ? cut(block) : merged(block, { columns: rows.columns, begin: before, end: behind });
    begin = behind;
  }
  if (begin < rows.end) yield cut({ columns: rows.columns, begin, end: rows.end });
}

function cut({ columns, begin, end }: Stretch): LinePart {
  if (begin === 0 && end === columns.id.length) return columns;
  return eachColumn(columns, (column) => column.subarray(begin, end));
}

function merged(block: Stretch, rows: Stretch): LinePart {
  const all = [cut(block), cut(rows)] as const;
  const [packed, others] = all;
  const count = packed.id.length;
  const placeOf = (at: number): PositionPlace => (at < count ? placeAt(packed, at) : placeAt(others, at - count));
  const order = Uint32Array.from({ length: count + others.id.length }, (_, at) => at);
  order.sort((left, right) => comparePlaces(placeOf(left), placeOf(right)));
  return eachColumn(packed, (column, name) =>
    Float64Array.from(order, (at) => column[at] ?? others[name]?.[at - count] ?? Number.NaN),
  );
}

function eachColumn(columns: LinePart, change: (column: Float64Array, name: LineColumn) => Float64Array): LinePart {
  const changed = Object.entries(columns).map(([name, column]) => [name, change(column, name as LineColumn)] as const);
  return Object.fromEntries(changed) as Record<LineColumn, Float64Array>;
}

const isFilled = ({ begin, end }: Stretch): boolean => begin < end;

function earlier(one: PositionPlace | undefined, other: PositionPlace | undefined): PositionPlace | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return comparePlaces(one, other) < 0 ? one : other;
}

const lastOf = (columns: LinePart): PositionPlace => placeAt(columns, columns.id.length - 1);

function placeAt({ id, deviceTimeMs }: LinePart, at: number): PositionPlace {
  return { id: id[at] ?? 0, deviceTimeMs: deviceTimeMs[at] ?? 0 };
}

/** The first position that doesn't fulfill the condition; all positions before it do. */
function firstNot(columns: LinePart, holds: (place: PositionPlace) => boolean): number {
  let [low, high] = [0, columns.id.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(placeAt(columns, middle))) low = middle + 1;
    else high = middle;
  }
  return low;
}

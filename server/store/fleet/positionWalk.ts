// Goes through one device's positions in the order of its clock, part by part, whether they are rows or in blocks. Blocks outside the range
// stay packed; those inside are unpacked one at a time.
import type { StoreDb } from '../engine/database.ts';
import { blockHeads } from './blockLookup.ts';
import type { Opened } from './blocks/blockCodec.ts';
import type { OnDamagedBlock } from './blocks/damagedBlocks.ts';
import { comparePlaces, type PositionPlace, type StoredPosition } from './blocks/storedPosition.ts';
import { rowsBetween, storedOf } from './positionRows.ts';

/** The part of a block that every walk reads: the places of its positions. */
export interface Places {
  readonly id: Float64Array;
  readonly deviceTimeMs: Float64Array;
}

export interface WalkOptions<Block extends Places> {
  readonly db: StoreDb;
  readonly incarnation: number;
  /** Half open, by the device's clock. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly isBackward?: boolean;
  /** The walk begins after this place, in its direction. */
  readonly behind?: PositionPlace | undefined;
  readonly rowsPerPart: number;
  readonly open: (data: Uint8Array) => Promise<Opened<Block>>;
  /** The damaged block is skipped, so that the rest can be read. */
  readonly onDamagedBlock: OnDamagedBlock;
}

/** A part in order of time, also on a backward walk. The rows lie among the block's positions or around them. */
export interface WalkPart<Block extends Places> {
  readonly rows: readonly StoredPosition[];
  /** Positions from `begin` to before `end`. */
  readonly block: { readonly content: Block; readonly begin: number; readonly end: number } | undefined;
}

interface BlockHead {
  readonly id: number;
  readonly from_ms: number;
  readonly to_ms: number;
  readonly data: Uint8Array;
}

export class PositionWalk<Block extends Places> {
  readonly #options: WalkOptions<Block>;
  #behind: PositionPlace | undefined;
  #opened: { readonly id: number; readonly content: Block } | undefined;
  /** Blocks that are finished and end where the walk is. */
  #passed: { readonly id: number; readonly atMs: number }[] = [];
  readonly #damaged: number[] = [];
  #isDone = false;

  constructor(options: WalkOptions<Block>) {
    this.#options = options;
    this.#behind = options.behind;
  }

  /** Undefined at the end. A part is never empty. */
  async next(): Promise<WalkPart<Block> | undefined> {
    while (!this.#isDone) {
      const part = await this.#look();
      if (part !== undefined && (part.rows.length > 0 || part.block !== undefined)) return part;
    }
    return undefined;
  }

  /** Undefined when a block was packed or repaired meanwhile, or is damaged: then the walk must look again. */
  async #look(): Promise<WalkPart<Block> | undefined> {
    const head = await this.#head(['id', 'from_ms', 'to_ms', 'data']);
    const rows = await this.#rows(head);
    // Positions that were packed between the two reads are missing from the rows, and are in a block that differs.
    const again = await this.#head(['id']);
    if (again?.id !== head?.id) return undefined;
    if (head === undefined) return this.#rowsAlone(rows);
    const content = await this.#open(head);
    return content === undefined ? undefined : this.#together(rows, { head, content });
  }

  #rowsAlone(rows: readonly StoredPosition[]): WalkPart<Block> {
    this.#isDone = rows.length < this.#options.rowsPerPart;
    this.#behind = rows.at(-1) ?? this.#behind;
    return { rows: this.#inTime(rows), block: undefined };
  }

  #together(
    rows: readonly StoredPosition[],
    { head, content }: { readonly head: BlockHead; readonly content: Block },
  ): WalkPart<Block> {
    const endOfBlock = placeAt(content, this.#options.isBackward === true ? 0 : content.id.length - 1);
    const lastRow = rows.length < this.#options.rowsPerPart ? undefined : rows.at(-1);
    const until = lastRow !== undefined && this.#compare(lastRow, endOfBlock) < 0 ? lastRow : endOfBlock;
    const among = rows.filter((row) => this.#compare(row, until) <= 0);
    const span = this.#spanOf(content, until);
    const isBehind = this.#behind === undefined || this.#compare(this.#behind, until) < 0;
    if (isBehind) this.#behind = until;
    if (until === endOfBlock) this.#passed.push({ id: head.id, atMs: until.deviceTimeMs });
    this.#passed = this.#passed.filter(({ atMs }) => atMs === this.#behind?.deviceTimeMs);
    const block = span.begin < span.end ? { content, begin: span.begin, end: span.end } : undefined;
    return { rows: this.#inTime(among), block };
  }

  /** Positions of a block in the range, after the place of the walk, and not after `until`. */
  #spanOf(content: Places, until: PositionPlace): { readonly begin: number; readonly end: number } {
    const { fromMs, toMs, isBackward = false } = this.#options;
    const behind = this.#behind;
    const isBefore = (place: PositionPlace): boolean => {
      if (place.deviceTimeMs < fromMs) return true;
      if (isBackward) return comparePlaces(place, until) < 0;
      return behind !== undefined && comparePlaces(place, behind) <= 0;
    };
    const isWithin = (place: PositionPlace): boolean => {
      if (place.deviceTimeMs >= toMs) return false;
      if (!isBackward) return comparePlaces(place, until) <= 0;
      return behind === undefined || comparePlaces(place, behind) < 0;
    };
    return { begin: firstNot(content, isBefore), end: firstNot(content, isWithin) };
  }

  #inTime(rows: readonly StoredPosition[]): readonly StoredPosition[] {
    return this.#options.isBackward === true ? rows.toReversed() : rows;
  }

  #compare(left: PositionPlace, right: PositionPlace): number {
    return this.#options.isBackward === true ? comparePlaces(right, left) : comparePlaces(left, right);
  }

  /** The block that the walk is in, or reaches next. */
  #head<Column extends keyof BlockHead>(columns: readonly Column[]) {
    const { db, incarnation, fromMs, toMs, isBackward = false } = this.#options;
    const atMs = this.#behind?.deviceTimeMs;
    const except = [...this.#damaged, ...this.#passed.map(({ id }) => id)];
    const range = isBackward
      ? { fromMs, beforeMs: Math.min(toMs, (atMs ?? toMs) + 1) }
      : { fromMs: atMs ?? fromMs, beforeMs: toMs };
    return blockHeads(db, { incarnation, ...range, isBackward, except }, columns)
      .limit(1)
      .executeTakeFirst();
  }

  async #rows(head: BlockHead | undefined): Promise<StoredPosition[]> {
    const { db, incarnation, fromMs, toMs, isBackward = false, rowsPerPart } = this.#options;
    const order = isBackward ? 'desc' : 'asc';
    const behind = this.#behind;
    const range = { fromMs, toMs };
    if (head !== undefined && isBackward) range.fromMs = Math.max(fromMs, head.from_ms);
    if (head !== undefined && !isBackward) range.toMs = Math.min(toMs, head.to_ms + 1);
    if (behind !== undefined && isBackward) range.toMs = Math.min(range.toMs, behind.deviceTimeMs + 1);
    if (behind !== undefined && !isBackward) range.fromMs = Math.max(range.fromMs, behind.deviceTimeMs);
    let rows = rowsBetween(db, incarnation, range).selectAll();
    if (behind !== undefined) {
      const beyond = isBackward ? '<' : '>';
      rows = rows.where(({ or, eb }) =>
        or([eb('device_time_ms', beyond, behind.deviceTimeMs), eb('id', beyond, behind.id)]),
      );
    }
    const found = await rows.orderBy('device_time_ms', order).orderBy('id', order).limit(rowsPerPart).execute();
    return found.map(storedOf);
  }

  async #open({ id, data }: BlockHead): Promise<Block | undefined> {
    if (this.#opened?.id === id) return this.#opened.content;
    const { open, incarnation, onDamagedBlock } = this.#options;
    const opened = await open(data);
    if (!opened.ok) {
      onDamagedBlock({ id, incarnation, why: opened.why });
      this.#damaged.push(id);
      return undefined;
    }
    this.#opened = { id, content: opened.value };
    return opened.value;
  }
}

function placeAt({ id, deviceTimeMs }: Places, at: number): PositionPlace {
  return { id: id[at] ?? 0, deviceTimeMs: deviceTimeMs[at] ?? 0 };
}

/** The first position that doesn't fulfill the condition; all positions before it do. */
function firstNot(places: Places, holds: (place: PositionPlace) => boolean): number {
  let [low, high] = [0, places.id.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(placeAt(places, middle))) low = middle + 1;
    else high = middle;
  }
  return low;
}

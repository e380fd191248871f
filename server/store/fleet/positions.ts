// A device's positions, however they are stored: the newest ones as rows, older ones packed in blocks.
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';
import { positionsOf, readBlock, readLine, type WholeBlock } from './blocks/blockCodec.ts';
import type { OnDamagedBlock } from './blocks/damagedBlocks.ts';
import { comparePlaces, type PositionPlace, type StoredPosition } from './blocks/storedPosition.ts';
import type { Position } from './position.ts';
import { readColumns, type TrackColumns, type TrackField } from './positionColumns.ts';
import { type PositionOwner, positionOf, storedOf, toRow } from './positionRows.ts';
import { PositionWalk, type WalkPart } from './positionWalk.ts';
import { withoutRepeats } from './repeatedPositions.ts';

export type { Position };

/** Half open, by the device's clock. */
interface DeviceRange {
  readonly fromMs: number;
  readonly toMs: number;
}

interface PlacedPosition {
  readonly place: PositionPlace;
  readonly position: Position;
}

type PageStart =
  /** Positions after this place. Undefined: from the beginning of the range. */
  | { readonly after: PositionPlace | undefined }
  /** The positions right before this place. Undefined: the last ones of the range. */
  | { readonly before: PositionPlace | undefined };

/** An id names an existing device; an incarnation also one that is gone. */
type DeviceKey = string | { readonly incarnation: number };

/** Positions are found by the id of an existing device: those of a former device with that id don't belong to it. */
export interface PositionStore {
  /**
   * Stores all of them or none; a position that is delivered late and was stored before is stored once. Throws when a device is unknown.
   */
  append(batch: readonly Position[]): Promise<void>;
  /** The latest position by the device's clock. */
  latest(deviceId: string): Promise<Position | undefined>;
  /** The positions of the range, oldest first. */
  between(deviceId: string, range: DeviceRange, limit: number): Promise<Position[]>;
  /** Device time of the position that has `count` - 1 later ones in the range; undefined where the range has fewer. */
  timeOfLatest(deviceId: string, range: DeviceRange, count: number): Promise<WallMs | undefined>;
  /** All positions of the range, oldest first, in batches of at most `batchSize`. Blocks are unpacked one by one. */
  scan(device: DeviceKey, range: DeviceRange, batchSize: number): AsyncIterable<readonly Position[]>;
  /** Some positions of the range, oldest first. A place stays the same when its position is packed. */
  page(device: DeviceKey, range: DeviceRange, at: PageStart & { readonly limit: number }): Promise<PlacedPosition[]>;
  /** The numbers of all positions in the range, oldest first, in parts of some thousands: no objects are made. */
  columns<Field extends TrackField>(
    incarnation: number,
    range: DeviceRange,
    fields: readonly Field[],
  ): AsyncIterable<TrackColumns<Field>>;
}

/** SQLite takes 32,766 parameters a statement, PostgreSQL 65,535; a row has sixteen. */
const ROWS_PER_STATEMENT = 1_000;
/** Rows that are read at once: they come as objects, which take the main thread some milliseconds. */
const ROWS_PER_PART = 1_000;

const ALWAYS: DeviceRange = { fromMs: Number.MIN_SAFE_INTEGER, toMs: Number.MAX_SAFE_INTEGER };

/** The database for reading, and the callback for damaged blocks. */
interface Reading {
  readonly db: StoreDb;
  readonly onDamagedBlock: OnDamagedBlock;
}

/** `reading`: for slow queries. A damaged block is reported and skipped. */
export function createPositionStore(db: StoreDb, reading: StoreDb, onDamagedBlock: OnDamagedBlock): PositionStore {
  const from: Reading = { db: reading, onDamagedBlock };
  return {
    append: (batch) => append(db, batch),
    latest: (deviceId) => latest({ db, onDamagedBlock }, deviceId),
    between: async (deviceId, range, limit) => {
      const found: Position[] = [];
      if (limit <= 0) return found;
      for await (const part of scan(from, {
        device: deviceId,
        range,
        rowsPerPart: Math.min(limit, ROWS_PER_PART),
      })) {
        for (const { position } of part) {
          found.push(position);
          if (found.length === limit) return found;
        }
      }
      return found;
    },
    timeOfLatest: (deviceId, range, count) => timeOfLatest(from, { deviceId, range, count }),
    scan: (device, range, batchSize) => inBatches(from, { device, range, batchSize }),
    page: (device, range, at) => page(from, { device, range }, at),
    columns: (incarnation, range, fields) => readColumns(reading, { incarnation, ...range, onDamagedBlock }, fields),
  };
}

async function append(db: StoreDb, batch: readonly Position[]): Promise<void> {
  const rows = await withoutRepeats(db, batch.map(toRow));
  if (rows.length === 0) return;
  if (rows.length <= ROWS_PER_STATEMENT) {
    await db.insertInto('position').values(rows).execute();
    return;
  }
  await db.transaction().execute(async (transaction) => {
    for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
      const part = rows.slice(start, start + ROWS_PER_STATEMENT);
      await transaction.insertInto('position').values(part).execute();
    }
  });
}

async function latest(from: Reading, deviceId: string): Promise<Position | undefined> {
  const { db } = from;
  const owner = await ownerOf(db, deviceId);
  if (owner === undefined) return undefined;
  const rows = db.selectFrom('position').selectAll().where('incarnation', '=', owner.incarnation);
  const row = await rows.orderBy('device_time_ms', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst();
  if (row !== undefined) return positionOf(storedOf(row), owner);
  // The newest one has been deleted by its time of arrival: the older ones that are left may all be packed.
  const [last] = await page(from, { device: deviceId, range: ALWAYS }, { before: undefined, limit: 1 });
  return last?.position;
}

async function ownerOf(db: StoreDb, device: DeviceKey): Promise<PositionOwner | undefined> {
  const row =
    typeof device === 'string'
      ? await db
          .selectFrom('device')
          .select(['incarnation', 'device_id'])
          .where('device_id', '=', device)
          .executeTakeFirst()
      : await db
          .selectFrom('device_incarnation')
          .select(['incarnation', 'device_id'])
          .where('incarnation', '=', device.incarnation)
          .executeTakeFirst();
  return row === undefined ? undefined : { incarnation: row.incarnation, deviceId: row.device_id };
}

interface Scan {
  readonly device: DeviceKey;
  readonly range: DeviceRange;
  readonly rowsPerPart: number;
  readonly behind?: PositionPlace | undefined;
  readonly isBackward?: boolean;
}

async function* scan(
  { db, onDamagedBlock }: Reading,
  { device, range, rowsPerPart, behind, isBackward }: Scan,
): AsyncGenerator<readonly PlacedPosition[]> {
  const owner = await ownerOf(db, device);
  if (owner === undefined) return;
  const { incarnation } = owner;
  const open = async (data: Uint8Array) => {
    const opened = await readBlock(data);
    return opened.ok ? ({ ok: true, value: new OpenBlock(opened.value) } as const) : opened;
  };
  const common = { db, incarnation, rowsPerPart, behind, isBackward: isBackward === true, open, onDamagedBlock };
  const walk = new PositionWalk({ ...range, ...common });
  for (let part = await walk.next(); part !== undefined; part = await walk.next())
    yield inOrder(part).map((stored) => ({
      place: { deviceTimeMs: stored.deviceTimeMs, id: stored.id },
      position: positionOf(stored, owner),
    }));
}

/** Its positions are made once, even if it is read in many parts. */
class OpenBlock {
  readonly id: Float64Array;
  readonly deviceTimeMs: Float64Array;
  readonly #whole: WholeBlock;
  #positions: readonly StoredPosition[] | undefined;

  constructor(whole: WholeBlock) {
    this.#whole = whole;
    this.id = whole.columns.id;
    this.deviceTimeMs = whole.columns.deviceTimeMs;
  }

  get positions(): readonly StoredPosition[] {
    this.#positions ??= positionsOf(this.#whole);
    return this.#positions;
  }
}

function inOrder({ rows, block }: WalkPart<OpenBlock>): readonly StoredPosition[] {
  if (block === undefined) return rows;
  const packed = block.content.positions.slice(block.begin, block.end);
  return rows.length === 0 ? packed : [...packed, ...rows].sort(comparePlaces);
}

async function* inBatches(
  from: Reading,
  { device, range, batchSize }: { readonly device: DeviceKey; readonly range: DeviceRange; readonly batchSize: number },
): AsyncGenerator<readonly Position[]> {
  const rowsPerPart = Math.min(batchSize, ROWS_PER_PART);
  for await (const part of scan(from, { device, range, rowsPerPart })) {
    const positions = part.map(({ position }) => position);
    for (let start = 0; start < positions.length; start += batchSize) yield positions.slice(start, start + batchSize);
  }
}

async function page(
  from: Reading,
  of: { readonly device: DeviceKey; readonly range: DeviceRange },
  at: PageStart & { readonly limit: number },
): Promise<PlacedPosition[]> {
  const { limit } = at;
  const isBackward = 'before' in at;
  const behind = isBackward ? at.before : at.after;
  const rowsPerPart = Math.max(1, Math.min(limit, ROWS_PER_PART));
  let found: PlacedPosition[] = [];
  for await (const part of scan(from, { ...of, rowsPerPart, behind, isBackward })) {
    found = isBackward ? [...part, ...found] : [...found, ...part];
    if (found.length >= limit) break;
  }
  return isBackward ? found.slice(Math.max(0, found.length - limit)) : found.slice(0, limit);
}

interface Counted {
  readonly deviceId: string;
  readonly range: DeviceRange;
  readonly count: number;
}

const readPlaces = (data: Uint8Array) => readLine(data, ['id', 'deviceTimeMs']);

async function timeOfLatest(
  { db, onDamagedBlock }: Reading,
  { deviceId, range, count }: Counted,
): Promise<WallMs | undefined> {
  const owner = await ownerOf(db, deviceId);
  if (owner === undefined) return undefined;
  const { incarnation } = owner;
  const common = { db, incarnation, isBackward: true, rowsPerPart: ROWS_PER_PART, open: readPlaces, onDamagedBlock };
  const walk = new PositionWalk({ ...range, ...common });
  let left = count;
  for (let part = await walk.next(); part !== undefined; part = await walk.next()) {
    const { rows, block } = part;
    const times = rows.map(({ deviceTimeMs }) => deviceTimeMs);
    if (block !== undefined) times.push(...block.content.deviceTimeMs.subarray(block.begin, block.end));
    if (times.length >= left) return wallMs(times.sort((a, b) => b - a)[left - 1] ?? 0);
    left -= times.length;
  }
  return undefined;
}

// Positions of a device by columns: what draws or counts thousands of them makes no object of each.
import { knownColumn } from '../../../shared/protocol/positions/knownValues.ts';
import type { StoreDb } from '../engine/database.ts';
import { LINE_COLUMNS, type Opened, readBlock } from './blocks/blockCodec.ts';
import type { OnDamagedBlock } from './blocks/damagedBlocks.ts';
import { parseExtra } from './blocks/itemColumns.ts';
import { factOfItems } from './blocks/itemFacts.ts';
import { comparePlaces, FACTS, type Fact, type PositionPlace, type StoredPosition } from './blocks/storedPosition.ts';
import { type LinePart, walkLine } from './lineWalk.ts';
import { type Places, PositionWalk, type WalkPart } from './positionWalk.ts';

/** Called as in Position. `isLate` is 0 or 1, and NaN stands for what wasn't reported. */
export type TrackField =
  | 'latitude'
  | 'longitude'
  | 'altitudeM'
  | 'speedKmh'
  | 'headingDeg'
  | 'alarmBits'
  | 'statusBits'
  | 'receivedAtMs'
  | 'isLate'
  | 'mileageKm'
  | 'fuelLiters'
  | 'cabinCelsius'
  | 'signal';

/** Some positions, one entry for each in every column. */
export type TrackColumns<Field extends TrackField> = Readonly<Record<Field | 'deviceTimeMs', Float64Array>> & {
  readonly count: number;
};

/** Rows come as objects from the database's thread, and take the main one some milliseconds. */
const ROWS_PER_PART = 1_000;

interface WantedColumns {
  readonly incarnation: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly onDamagedBlock: OnDamagedBlock;
}

type BlockColumns = Places & Readonly<Partial<Record<string, Float64Array>>>;
type ColumnName = Exclude<keyof StoredPosition, 'extra'>;

export async function* readColumns<Field extends TrackField>(
  db: StoreDb,
  wanted: WantedColumns,
  fields: readonly Field[],
): AsyncGenerator<TrackColumns<Field>> {
  const ofLine = LINE_COLUMNS.map(([column]) => column).filter((column) => fields.some((field) => field === column));
  if (ofLine.length === fields.length) {
    for await (const part of walkLine(db, { ...wanted, names: ofLine })) yield lineOf(part, fields);
    return;
  }
  const walk = new PositionWalk<BlockColumns>({ ...wanted, db, rowsPerPart: ROWS_PER_PART, open: readNumbersOf });
  // The next part is read while the caller works on this one.
  let next = walk.next();
  for (let part = await next; part !== undefined; part = await next) {
    next = walk.next();
    // Whoever stops here never asks what became of it.
    next.catch(() => undefined);
    yield columnsOf(part, fields);
  }
}

function lineOf<Field extends TrackField>(part: LinePart, fields: readonly Field[]): TrackColumns<Field> {
  const { deviceTimeMs } = part;
  const read: Readonly<Partial<Record<TrackField, Float64Array>>> = part;
  const columns = fields.map((field) => [field, knownColumn(field, read[field] ?? new Float64Array(0))] as const);
  const named = Object.fromEntries(columns) as Record<Field, Float64Array>;
  return Object.assign(named, { deviceTimeMs, count: deviceTimeMs.length });
}

async function readNumbersOf(data: Uint8Array): Promise<Opened<BlockColumns>> {
  const opened = await readBlock(data);
  return opened.ok ? { ok: true, value: opened.value.columns } : opened;
}

function columnsOf<Field extends TrackField>(
  part: WalkPart<BlockColumns>,
  fields: readonly Field[],
): TrackColumns<Field> {
  const order = orderOf(part);
  const column = (name: ColumnName): Float64Array => columnOf(part, name, order);
  const known = (field: Field) => knownColumn(field, column(field === 'isLate' ? 'late' : field));
  const columns = fields.map((field) => [field, known(field)] as const);
  const deviceTimeMs = column('deviceTimeMs');
  return Object.assign(Object.fromEntries(columns) as Record<Field, Float64Array>, {
    deviceTimeMs,
    count: deviceTimeMs.length,
  });
}

/** Where rows lie among the positions of a block: its places from 0 on, then the rows. Undefined where there is only one of both. */
function orderOf({ rows, block }: WalkPart<BlockColumns>): Uint32Array | undefined {
  if (block === undefined || rows.length === 0) return undefined;
  const { content, begin, end } = block;
  const count = end - begin;
  const placeOf = (at: number): PositionPlace =>
    rows[at - count] ?? { id: content.id[begin + at] ?? 0, deviceTimeMs: content.deviceTimeMs[begin + at] ?? 0 };
  const order = Uint32Array.from({ length: count + rows.length }, (_, at) => at);
  return order.sort((left, right) => comparePlaces(placeOf(left), placeOf(right)));
}

function columnOf(
  { rows, block }: WalkPart<BlockColumns>,
  name: ColumnName,
  order: Uint32Array | undefined,
): Float64Array {
  const packed = block?.content[name]?.subarray(block.begin, block.end) ?? new Float64Array(0);
  if (rows.length === 0) return packed.slice();
  const ofRows = Float64Array.from(rows, (row) => numberIn(row, name));
  if (order === undefined) return ofRows;
  return Float64Array.from(order, (at) => packed[at] ?? ofRows[at - packed.length] ?? Number.NaN);
}

function numberIn(row: StoredPosition, name: ColumnName): number {
  const value = row[name];
  return Number.isNaN(value) && isFact(name) ? factOfItems(parseExtra(row.extra).parsed ?? {}, name) : value;
}

function isFact(name: string): name is Fact {
  return FACTS.some((fact) => fact === name);
}

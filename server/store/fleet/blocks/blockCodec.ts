// Positions of one device as a block: columns of differences, compressed in two parts. A line on a map reads only the first part.
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, brotliDecompressSync, constants, crc32 } from 'node:zlib';
import { ByteReader, ByteWriter, CorruptBlock } from './bytes.ts';
import { type Extra, ItemColumns, parseExtra, writeItems } from './itemColumns.ts';
import { factOfItems } from './itemFacts.ts';
import { readNumbers, readOdd, skipNumbers, writeNumbers, writeOdd } from './numberColumn.ts';
import { FACTS, type Fact, type StoredPosition } from './storedPosition.ts';

export const MAX_BLOCK_POSITIONS = 4_096;
/** Maximum length of all texts of items in a block: it bounds memory and time for reading a block, whatever terminals send. */
export const MAX_BLOCK_EXTRA = 1_048_576;

/** The first byte of a block. */
const VERSION = 1;
/** Several times the size that a block can have. */
const MAX_PART_BYTES = 16 * 1_048_576;
/** More than eight columns take when all values are stored unchanged. */
const MAX_LINE_BYTES = 1_048_576;
/** The usual size of a part: each further chunk takes the main thread another turn. */
const CHUNK_BYTES = 65_536;
/** Higher qualities hardly save bytes, and take twice the time. */
const QUALITY = 5;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

export type LineColumn = Exclude<keyof StoredPosition, 'receivedAtMs' | 'alarmBits' | 'late' | 'extra' | Fact>;
type OtherColumn = 'receivedAtMs' | 'alarmBits' | 'late';

/** Columns with the factor that makes their values whole numbers: the wire has millionths of a degree and tenths of km/h. */
export const LINE_COLUMNS: readonly (readonly [LineColumn, number])[] = [
  ['deviceTimeMs', 1],
  ['id', 1],
  ['latitude', 1e6],
  ['longitude', 1e6],
  ['speedKmh', 10],
  ['headingDeg', 1],
  ['altitudeM', 1],
  ['statusBits', 1],
];

const ALL_OF_LINE = LINE_COLUMNS.map(([column]) => column);

/** Encodes positions in the given order, at most MAX_BLOCK_POSITIONS. Compresses in another thread. */
export async function encodeBlock(positions: readonly StoredPosition[]): Promise<Buffer> {
  const head = new ByteWriter();
  head.varint(VERSION);
  head.varint(positions.length);
  const [line, rest] = await Promise.all([compressed(lineOf(positions)), compressed(restOf(positions))]);
  head.varint(line.length);
  head.varint(crc32(rest, crc32(line)));
  return Buffer.concat([head.written, line, rest]);
}

function compressed(bytes: Uint8Array): Promise<Buffer> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return compress(bytes, { params });
}

function lineOf(positions: readonly StoredPosition[]): Uint8Array {
  const to = new ByteWriter();
  for (const [column, scale] of LINE_COLUMNS) writeNumbers(to, columnOf(positions, column), scale);
  return to.written;
}

function restOf(positions: readonly StoredPosition[]): Uint8Array {
  const to = new ByteWriter();
  writeReceived(to, positions);
  writeNumbers(to, columnOf(positions, 'alarmBits'), 1);
  writeNumbers(to, columnOf(positions, 'late'), 1);
  const extras = positions.map(({ extra }) => parseExtra(extra));
  writeItems(to, extras);
  for (const fact of FACTS) writeFact(to, columnOf(positions, fact), { extras, fact });
  return to.written;
}

function columnOf(positions: readonly StoredPosition[], column: LineColumn | OtherColumn | Fact): Float64Array {
  const values = new Float64Array(positions.length);
  for (let at = 0; at < positions.length; at++) values[at] = positions[at]?.[column] ?? 0;
  return values;
}

/** Positions are received soon after they were measured: the delay takes few bytes. */
function writeReceived(to: ByteWriter, positions: readonly StoredPosition[]): void {
  const received = columnOf(positions, 'receivedAtMs');
  const lags = Float64Array.from(positions, ({ receivedAtMs, deviceTimeMs }) => receivedAtMs - deviceTimeMs);
  const comesBack = positions.every(({ deviceTimeMs }, at) => Object.is(deviceTimeMs + (lags[at] ?? 0), received[at]));
  to.varint(comesBack ? 1 : 0);
  writeNumbers(to, comesBack ? lags : received, 1);
}

/** Writes the values that differ from those in the items. */
function writeFact(
  to: ByteWriter,
  values: Float64Array,
  { extras, fact }: { readonly extras: readonly Extra[]; readonly fact: Fact },
): void {
  const odd: number[] = [];
  for (const [at, value] of values.entries()) {
    if (!Number.isNaN(value) && !Object.is(value, factOfItems(extras[at]?.parsed ?? {}, fact))) odd.push(at);
  }
  writeOdd(to, odd, values);
}

export type Opened<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly why: string };

type LineColumns = Readonly<Record<LineColumn, Float64Array>>;
type NumberColumns = LineColumns & Readonly<Record<OtherColumn | Fact, Float64Array>>;

export interface WholeBlock {
  readonly columns: NumberColumns;
  readonly items: ItemColumns;
}

/** Some of the columns for a line on a map. It never throws, whatever the bytes are. */
export function readLine<Name extends LineColumn>(
  data: Uint8Array,
  names: readonly Name[],
): Promise<Opened<Readonly<Record<Name, Float64Array>>>> {
  return opened(async () => {
    const { count, line } = partsOf(data);
    return readLineColumns(decompressedLine(line), count, names);
  });
}

/** The whole block. It never throws, whatever the bytes are. */
export function readBlock(data: Uint8Array): Promise<Opened<WholeBlock>> {
  return opened(async () => {
    const { count, line, rest } = partsOf(data);
    const restBytes = await decompressed(rest);
    return readWhole(readLineColumns(decompressedLine(line), count, ALL_OF_LINE), new ByteReader(restBytes), count);
  });
}

/** The positions that were given to `encodeBlock`. */
export function positionsOf({ columns, items }: WholeBlock): StoredPosition[] {
  const extras = items.texts();
  return extras.map((extra, at) => ({
    id: columns.id[at] ?? 0,
    deviceTimeMs: columns.deviceTimeMs[at] ?? 0,
    receivedAtMs: columns.receivedAtMs[at] ?? 0,
    latitude: columns.latitude[at] ?? 0,
    longitude: columns.longitude[at] ?? 0,
    altitudeM: columns.altitudeM[at] ?? 0,
    speedKmh: columns.speedKmh[at] ?? 0,
    headingDeg: columns.headingDeg[at] ?? 0,
    alarmBits: columns.alarmBits[at] ?? 0,
    statusBits: columns.statusBits[at] ?? 0,
    late: columns.late[at] ?? 0,
    extra,
    mileageKm: columns.mileageKm[at] ?? Number.NaN,
    fuelLiters: columns.fuelLiters[at] ?? Number.NaN,
    cabinCelsius: columns.cabinCelsius[at] ?? Number.NaN,
    signal: columns.signal[at] ?? Number.NaN,
  }));
}

async function opened<Value>(open: () => Promise<Value>): Promise<Opened<Value>> {
  try {
    return { ok: true, value: await open() };
  } catch (error) {
    if (error instanceof CorruptBlock) return { ok: false, why: error.message };
    throw error;
  }
}

function partsOf(data: Uint8Array) {
  const from = new ByteReader(data);
  const version = from.varint();
  if (version !== VERSION) throw new CorruptBlock(`an unknown version: ${version}`);
  const count = from.count(MAX_BLOCK_POSITIONS);
  const lineBytes = from.varint();
  const sum = from.varint();
  const line = from.bytes(lineBytes);
  const rest = from.bytes(from.remaining);
  // The compressed data has no checksum of its own: damage would change numbers unnoticed.
  if (crc32(rest, crc32(line)) !== sum) throw new CorruptBlock('its sum does not agree');
  return { count, line, rest };
}

/** Runs in this thread: handing a typical driving block to another thread takes this one longer, 0.2 ms. */
function decompressedLine(bytes: Uint8Array): Buffer {
  try {
    return brotliDecompressSync(bytes, { maxOutputLength: MAX_LINE_BYTES, chunkSize: CHUNK_BYTES });
  } catch (error) {
    throw corrupt(error);
  }
}

async function decompressed(bytes: Uint8Array): Promise<Buffer> {
  try {
    return await decompress(bytes, { maxOutputLength: MAX_PART_BYTES, chunkSize: CHUNK_BYTES });
  } catch (error) {
    throw corrupt(error);
  }
}

function corrupt(error: unknown): CorruptBlock {
  return new CorruptBlock(error instanceof Error ? error.message : String(error));
}

function readLineColumns<Name extends LineColumn>(
  bytes: Uint8Array,
  count: number,
  names: readonly Name[],
): Record<Name, Float64Array> {
  const from = new ByteReader(bytes);
  const wanted: ReadonlySet<LineColumn> = new Set(names);
  const columns: Partial<Record<LineColumn, Float64Array>> = {};
  for (const [column, scale] of LINE_COLUMNS) {
    if (wanted.has(column)) columns[column] = readNumbers(from, count, scale);
    else skipNumbers(from, count);
  }
  return columns as Record<Name, Float64Array>;
}

function readWhole(line: LineColumns, from: ByteReader, count: number): WholeBlock {
  const receivedAtMs = readReceived(from, line.deviceTimeMs);
  const alarmBits = readNumbers(from, count, 1);
  const late = readNumbers(from, count, 1);
  const items = new ItemColumns(from, count);
  const facts = FACTS.map((fact) => [fact, readFact(from, items, fact)] as const);
  const columns: NumberColumns = Object.assign({}, line, Object.fromEntries(facts) as Record<Fact, Float64Array>, {
    receivedAtMs,
    alarmBits,
    late,
  });
  return { columns, items };
}

function readReceived(from: ByteReader, deviceTimeMs: Float64Array): Float64Array {
  const isLag = from.varint() === 1;
  const values = readNumbers(from, deviceTimeMs.length, 1);
  return isLag ? values.map((lag, at) => (deviceTimeMs[at] ?? 0) + lag) : values;
}

function readFact(from: ByteReader, items: ItemColumns, fact: Fact): Float64Array {
  const values = items.fact(fact);
  for (const { at, value } of readOdd(from, values.length)) values[at] = value;
  return values;
}

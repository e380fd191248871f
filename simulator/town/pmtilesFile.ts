// Writes small PMTiles files: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md. All tiles are in the root directory,
// which is room for some thousands. Pure.
import { gzipSync } from 'node:zlib';
import { zxyToTileId } from 'pmtiles';
import type { Tile } from './tiles.ts';

export interface MapFacts {
  /** Degrees: west, south, east, north. */
  readonly bounds: readonly [number, number, number, number];
  readonly maxZoom: number;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const HEADER_BYTES = 127;
const MAX_ROOT_BYTES = 16_384 - HEADER_BYTES;
const GZIP = 2;
const VECTOR = 1;

interface Entry {
  readonly id: number;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

export function pmtilesFile(tiles: readonly Tile[], facts: MapFacts): Buffer {
  const entries = entriesOf(tiles);
  const root = gzipSync(directory(entries));
  if (root.length > MAX_ROOT_BYTES) throw new Error(`${tiles.length} tiles are too many for one directory`);
  const metadata = gzipSync(JSON.stringify(facts.metadata));
  const data = Buffer.concat(entries.map(({ bytes }) => bytes));
  const header = headerOf({ root: root.length, metadata: metadata.length, data: data.length }, entries.length, facts);
  return Buffer.concat([header, root, metadata, data]);
}

/** In the order of their numbers, which is the order of the file. */
function entriesOf(tiles: readonly Tile[]): readonly Entry[] {
  const numbered = tiles.map(({ zoom, column, row, bytes }) => ({ id: zxyToTileId(zoom, column, row), bytes }));
  let offset = 0;
  return numbered
    .sort((left, right) => left.id - right.id)
    .map(({ id, bytes }) => {
      const packed = gzipSync(bytes);
      const entry = { id, offset, bytes: packed };
      offset += packed.length;
      return entry;
    });
}

/** Columns of numbers: distances between ids, how many tiles an entry stands for, lengths, offsets plus one. */
function directory(entries: readonly Entry[]): Buffer {
  const ids = entries.map(({ id }, at) => id - (entries[at - 1]?.id ?? 0));
  const runs = entries.map(() => 1);
  const lengths = entries.map(({ bytes }) => bytes.length);
  // 0 says: where the one before ends.
  const offsets = entries.map(({ offset }, at) => (at === 0 ? offset + 1 : 0));
  return Buffer.from([entries.length, ...ids, ...runs, ...lengths, ...offsets].flatMap(varint));
}

function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return [...bytes, rest];
}

interface Lengths {
  readonly root: number;
  readonly metadata: number;
  readonly data: number;
}

function headerOf({ root, metadata, data }: Lengths, tiles: number, { bounds, maxZoom }: MapFacts): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles', 'latin1');
  header.writeUInt8(3, 7);
  const dataAt = HEADER_BYTES + root + metadata;
  const numbers = [HEADER_BYTES, root, HEADER_BYTES + root, metadata, dataAt, 0, dataAt, data, tiles, tiles, tiles];
  for (const [at, value] of numbers.entries()) header.writeBigUInt64LE(BigInt(value), 8 + at * 8);
  const [west, south, east, north] = bounds;
  // Sorted; directories and tiles are compressed; vector tiles; zooms.
  Buffer.from([1, GZIP, GZIP, VECTOR, 0, maxZoom]).copy(header, 96);
  const degrees = (value: number): number => Math.round(value * 10_000_000);
  for (const [at, value] of bounds.entries()) header.writeInt32LE(degrees(value), 102 + at * 4);
  header.writeUInt8(maxZoom, 118);
  header.writeInt32LE(degrees((west + east) / 2), 119);
  header.writeInt32LE(degrees((south + north) / 2), 123);
  return header;
}

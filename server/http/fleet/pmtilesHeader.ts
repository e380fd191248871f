// The first bytes of a PMTiles file: whether the map can draw it. Pure.
// Layout: https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md

export const PMTILES_HEADER_BYTES = 127;

const MAGIC = 'PMTiles';
const VERSION = 3;
const VECTOR = 1;
/** None and gzip: browsers have no other. */
const READABLE = [1, 2];
/** Readers fetch header and root directory at once. */
const ROOT_END_BYTES = 16_384;

const SECTIONS = [
  { name: 'root directory', at: 8 },
  { name: 'metadata', at: 24 },
  { name: 'leaf directories', at: 40 },
  { name: 'tiles', at: 56 },
] as const;

/** What is wrong with a file of `size` bytes that begins with `header`; undefined for one that can be drawn. */
export function pmtilesFault(header: Buffer, size: number): string | undefined {
  if (header.length < PMTILES_HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    return 'it is no PMTiles file';
  }
  const version = header.readUInt8(7);
  if (version !== VERSION) return `it is PMTiles of version ${version}, not ${VERSION}`;
  for (const { name, at } of SECTIONS) {
    const end = header.readBigUInt64LE(at) + header.readBigUInt64LE(at + 8);
    if (end > BigInt(size)) return `it is cut off before its ${name} end, at byte ${end}`;
    if (at === 8 && end > BigInt(ROOT_END_BYTES)) return `its root directory ends behind byte ${ROOT_END_BYTES}`;
  }
  if (header.readUInt8(99) !== VECTOR) return 'its tiles are pictures or of an unknown type, not vector tiles (MVT)';
  if (!READABLE.includes(header.readUInt8(97)) || !READABLE.includes(header.readUInt8(98))) {
    return 'it is compressed with something else than gzip';
  }
  return undefined;
}

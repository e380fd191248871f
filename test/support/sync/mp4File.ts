// MP4 files made by hand, whose tables say whatever a test wants: ISO/IEC 14496-12, 8.

interface TrackTable {
  /** A second each in the video track, 1/48,000 s in that of sound. */
  readonly ticks: number;
  /** Where each sample is, in bytes of the content, and how long. The same ones may be named again and again. */
  readonly samples: readonly { readonly at: number; readonly bytes: number }[];
}

export interface Mp4Tables {
  readonly pictures: TrackTable;
  readonly sound?: TrackTable;
}

const SPS = Buffer.from('6742c01e95a02828f0110000030001000003003c8f162ea0', 'hex');
const PPS = Buffer.from('68ce3c80', 'hex');
const MATRIX = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/** A key picture of so many bytes as a sample: its length, then its unit. */
export function keySample(bytes = 16): Buffer {
  return sampleOf(Buffer.from([0x65, 0x88, 0x84, 0, 0x10]), bytes);
}

/** One that refers to the picture before it. */
export function laterSample(bytes = 16): Buffer {
  return sampleOf(Buffer.from([0x41, 0x9a, 0x22]), bytes);
}

/** 320 x 240 H.264, and AAC of 48,000 Hz. */
export function mp4File(content: Uint8Array, tables: Mp4Tables): Buffer {
  const head = (contentAt: number): Buffer => Buffer.concat([fileType(), movie(tables, contentAt)]);
  const contentAt = head(0).length + 8;
  return Buffer.concat([head(contentAt), box('mdat', content)]);
}

export function box(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([words(content.length + 8), Buffer.from(type, 'latin1'), content]);
}

export function fileType(): Buffer {
  return box('ftyp', Buffer.from('isom'), words(512), Buffer.from('isom'));
}

function movie({ pictures, sound }: Mp4Tables, contentAt: number): Buffer {
  const header = box(
    'mvhd',
    words(0, 0, 0, 1_000, 1_000, 0x10000),
    halves(0x100, 0),
    zeros(8),
    MATRIX,
    zeros(24),
    words(3),
  );
  const video = track({ id: 1, handler: 'vide', timescale: 1, entry: avcEntry() }, pictures, contentAt);
  if (sound === undefined) return box('moov', header, video);
  return box(
    'moov',
    header,
    video,
    track({ id: 2, handler: 'soun', timescale: 48_000, entry: aacEntry() }, sound, contentAt),
  );
}

interface TrackKind {
  readonly id: number;
  readonly handler: 'vide' | 'soun';
  readonly timescale: number;
  readonly entry: Buffer;
}

function track(
  { id, handler, timescale, entry }: TrackKind,
  { ticks, samples }: TrackTable,
  contentAt: number,
): Buffer {
  const count = samples.length;
  const duration = count * ticks;
  const tables = box(
    'stbl',
    box('stsd', words(0, 1), entry),
    box('stts', words(0, 1, count, ticks)),
    box('stsc', words(0, 1, 1, 1, 1)),
    box('stsz', words(0, 0, count, ...samples.map(({ bytes }) => bytes))),
    box('stco', words(0, count, ...samples.map(({ at }) => contentAt + at))),
  );
  const mediaHeader = handler === 'vide' ? box('vmhd', words(1), zeros(8)) : box('smhd', zeros(8));
  return box(
    'trak',
    box('tkhd', words(3, 0, 0, id, 0, duration), zeros(16), MATRIX, words(320 << 16, 240 << 16)),
    box(
      'mdia',
      box('mdhd', words(0, 0, 0, timescale, duration), halves(0x55c4, 0)),
      box('hdlr', words(0, 0), Buffer.from(handler), zeros(13)),
      box('minf', mediaHeader, box('dinf', box('dref', words(0, 1), box('url ', words(1)))), tables),
    ),
  );
}

function avcEntry(): Buffer {
  const sets = [Buffer.from([1, 0x42, 0xc0, 0x1e, 0xff, 0xe1]), halves(SPS.length), SPS];
  const configuration = box('avcC', ...sets, Buffer.from([1]), halves(PPS.length), PPS);
  const size = [halves(320, 240), words(0x480000, 0x480000, 0), halves(1)];
  return box('avc1', zeros(6), halves(1), zeros(16), ...size, zeros(32), halves(24, 0xffff), configuration);
}

function aacEntry(): Buffer {
  const decoder = Buffer.from([4, 17, 0x40, 0x15, ...zeros(11), 5, 2, 0x11, 0x90]);
  const descriptor = box('esds', words(0), Buffer.from([3, 25, 0, 0, 0]), decoder, Buffer.from([6, 1, 2]));
  return box('mp4a', zeros(6), halves(1), zeros(8), halves(2, 16, 0, 0), words(48_000 * 0x10000), descriptor);
}

function sampleOf(unit: Buffer, bytes: number): Buffer {
  const length = bytes - 4;
  return Buffer.concat([words(length), unit, Buffer.alloc(length - unit.length, 0x11)]);
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at);
  return bytes;
}

function halves(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value, 2 * at);
  return bytes;
}

function zeros(bytes: number): Buffer {
  return Buffer.alloc(bytes);
}

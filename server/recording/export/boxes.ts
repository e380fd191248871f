// The boxes of a growing MP4 file (ISO/IEC 14496-12) as they leave the library that writes them, and what is changed in
// them on their way: a long export is written by one library object after another, and the file must not show it.

/** Seconds from 1904, where MP4 begins to count, to 1970. */
const MP4_EPOCH_S = 2_082_844_800;
const LARGE_SIZE = 1;

export interface Box {
  readonly type: string;
  /** Header included. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Cuts a stream of bytes into its top-level boxes. Each is held whole: a fragment is a few seconds. */
export class BoxSplitter {
  #held: Uint8Array<ArrayBuffer>[] = [];
  #heldBytes = 0;

  push(bytes: Uint8Array<ArrayBuffer>): Box[] {
    this.#held.push(bytes);
    this.#heldBytes += bytes.byteLength;
    const boxes: Box[] = [];
    for (let box = this.#take(); box !== undefined; box = this.#take()) boxes.push(box);
    return boxes;
  }

  #take(): Box | undefined {
    if (this.#heldBytes < 8) return undefined;
    const first = this.#joined(16);
    const size = boxSize(first);
    if (size === undefined || this.#heldBytes < size) return undefined;
    const whole = this.#joined(this.#heldBytes);
    this.#held = whole.byteLength > size ? [whole.subarray(size)] : [];
    this.#heldBytes -= size;
    return { type: boxType(first), bytes: whole.subarray(0, size) };
  }

  /** The held bytes as one piece, if the first piece is shorter than what is asked for. */
  #joined(bytes: number): Uint8Array<ArrayBuffer> {
    const [first] = this.#held;
    if (first !== undefined && (first.byteLength >= bytes || this.#held.length === 1)) return first;
    const joined = new Uint8Array(this.#heldBytes);
    let offset = 0;
    for (const piece of this.#held) {
      joined.set(piece, offset);
      offset += piece.byteLength;
    }
    this.#held = [joined];
    return joined;
  }
}

function boxSize(bytes: Uint8Array): number | undefined {
  const view = viewOf(bytes);
  const size = view.getUint32(0);
  if (size !== LARGE_SIZE) return size;
  return bytes.byteLength < 16 ? undefined : Number(view.getBigUint64(8));
}

function boxType(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(4, 8));
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The first box of a type inside another's bytes, searched from `from` on, as a view. */
function child(bytes: Uint8Array, type: string, from: number): Uint8Array | undefined {
  for (let at = from; at + 8 <= bytes.byteLength; ) {
    const size = viewOf(bytes.subarray(at)).getUint32(0);
    if (size < 8) return undefined;
    if (boxType(bytes.subarray(at)) === type) return bytes.subarray(at, at + size);
    at += size;
  }
  return undefined;
}

/** Writes when the film was taken into a `moov`, and how long it is, which is known before its last picture. */
export function describeMovie(
  moov: Uint8Array<ArrayBuffer>,
  startMs: number,
  durationMs: number,
): Uint8Array<ArrayBuffer> {
  const takenS = Math.floor(startMs / 1000) + MP4_EPOCH_S;
  const mvhd = child(moov, 'mvhd', 8);
  if (mvhd !== undefined) setTimes(mvhd, takenS);
  for (let at = 8; at < moov.byteLength; ) {
    const size = viewOf(moov.subarray(at)).getUint32(0);
    const trak = boxType(moov.subarray(at)) === 'trak' ? moov.subarray(at, at + size) : undefined;
    const tkhd = trak && child(trak, 'tkhd', 8);
    const mdia = trak && child(trak, 'mdia', 8);
    const mdhd = mdia && child(mdia, 'mdhd', 8);
    for (const header of [tkhd, mdhd]) if (header !== undefined) setTimes(header, takenS);
    at += Math.max(8, size);
  }
  const timescale = mvhd === undefined ? 1000 : viewOf(mvhd).getUint32(mvhd[8] === 1 ? 28 : 20);
  return withFilmLength(moov, Math.round((durationMs * timescale) / 1000));
}

/** Creation and modification time of a full box that begins with them. */
function setTimes(box: Uint8Array, seconds: number): void {
  const view = viewOf(box);
  if (box[8] === 1) {
    view.setBigUint64(12, BigInt(seconds));
    view.setBigUint64(20, BigInt(seconds));
  } else {
    view.setUint32(12, seconds);
    view.setUint32(16, seconds);
  }
}

const MEHD_BYTES = 20;

/** Puts an `mehd` box into `mvex`: without it a player learns a fragmented film's length at its end. */
function withFilmLength(moov: Uint8Array<ArrayBuffer>, duration: number): Uint8Array<ArrayBuffer> {
  const mvex = child(moov, 'mvex', 8);
  if (mvex === undefined) return moov;
  const at = mvex.byteOffset - moov.byteOffset;
  const longer = new Uint8Array(moov.byteLength + MEHD_BYTES);
  longer.set(moov.subarray(0, at + 8));
  longer.set(moov.subarray(at + 8), at + 8 + MEHD_BYTES);
  const view = viewOf(longer);
  view.setUint32(0, longer.byteLength);
  view.setUint32(at, mvex.byteLength + MEHD_BYTES);
  view.setUint32(at + 8, MEHD_BYTES);
  longer.set(
    [...'mehd'].map((letter) => letter.charCodeAt(0)),
    at + 12,
  );
  view.setUint8(at + 16, 1);
  view.setBigUint64(at + 20, BigInt(duration));
  return longer;
}

/** Numbers a `moof` within the whole file. */
export function setSequenceNumber(moof: Uint8Array, number: number): void {
  viewOf(moof).setUint32(20, number);
}

/** The decode time of the first track of a `moof`, in that track's units. */
export function firstDecodeTime(moof: Uint8Array): number {
  const traf = child(moof, 'traf', 8);
  const tfdt = traf && child(traf, 'tfdt', 8);
  return tfdt === undefined ? 0 : Number(viewOf(tfdt).getBigUint64(12));
}

const TrunFlag = {
  DataOffset: 0x1,
  FirstFlags: 0x4,
  Duration: 0x100,
  Size: 0x200,
  Flags: 0x400,
  Offset: 0x800,
} as const;

/** The places of the composition offsets of a track's run in a `moof`; none where no sample has one. */
function compositionPlaces(moof: Uint8Array, trackId: number): { readonly view: DataView; readonly places: number[] } {
  const traf = trafOf(moof, trackId);
  const trun = traf && child(traf, 'trun', 8);
  const view = viewOf(trun ?? moof);
  const flags = trun === undefined ? 0 : view.getUint32(8) & 0xff_ffff;
  if ((flags & TrunFlag.Offset) === 0) return { view, places: [] };
  const has = (flag: number): number => ((flags & flag) === 0 ? 0 : 4);
  const start = 16 + has(TrunFlag.DataOffset) + has(TrunFlag.FirstFlags);
  const before = has(TrunFlag.Duration) + has(TrunFlag.Size) + has(TrunFlag.Flags);
  return { view, places: Array.from({ length: view.getUint32(12) }, (_, at) => start + at * (before + 4) + before) };
}

function trafOf(moof: Uint8Array, trackId: number): Uint8Array | undefined {
  for (let at = 8; at + 8 <= moof.byteLength; ) {
    const size = viewOf(moof.subarray(at)).getUint32(0);
    const traf = boxType(moof.subarray(at)) === 'traf' ? moof.subarray(at, at + size) : undefined;
    const tfhd = traf && child(traf, 'tfhd', 8);
    if (tfhd !== undefined && viewOf(tfhd).getUint32(12) === trackId) return traf;
    at += Math.max(8, size);
  }
  return undefined;
}

/** By how much a picture of the track is decoded after it is shown, as the library has it: 0 without B pictures. */
export function decodingDelay(moof: Uint8Array, trackId: number): number {
  const { view, places } = compositionPlaces(moof, trackId);
  return Math.max(0, ...places.map((at) => -view.getInt32(at)));
}

/**
 * Shows every picture of the track later by `delay`. The library lets pictures be shown before they are decoded, which
 * players correct each in its own way; with this and `delayByEditList` none has anything to correct.
 */
export function delayPictures(moof: Uint8Array, trackId: number, delay: number): void {
  const { view, places } = compositionPlaces(moof, trackId);
  for (const at of places) view.setInt32(at, view.getInt32(at) + delay);
  const traf = places.length === 0 ? trafOf(moof, trackId) : undefined;
  const tfdt = traf && child(traf, 'tfdt', 8);
  if (tfdt !== undefined) viewOf(tfdt).setBigUint64(12, viewOf(tfdt).getBigUint64(12) + BigInt(delay));
}

const EDTS_BYTES = 36;

/** Tells in a `moov` that the track's film begins `delay` behind its zero. */
export function delayByEditList(
  moov: Uint8Array<ArrayBuffer>,
  trackId: number,
  delay: number,
): Uint8Array<ArrayBuffer> {
  for (let at = 8; at + 8 <= moov.byteLength; ) {
    const size = viewOf(moov.subarray(at)).getUint32(0);
    const trak = boxType(moov.subarray(at)) === 'trak' ? moov.subarray(at, at + size) : undefined;
    const tkhd = trak && child(trak, 'tkhd', 8);
    if (trak !== undefined && tkhd !== undefined && viewOf(tkhd).getUint32(tkhd[8] === 1 ? 28 : 20) === trackId) {
      return withEditList(moov, { trakAt: at, trakBytes: size, behind: at + 8 + tkhd.byteLength }, delay);
    }
    at += Math.max(8, size);
  }
  return moov;
}

interface Place {
  readonly trakAt: number;
  readonly trakBytes: number;
  readonly behind: number;
}

function withEditList(
  moov: Uint8Array<ArrayBuffer>,
  { trakAt, trakBytes, behind }: Place,
  delay: number,
): Uint8Array<ArrayBuffer> {
  const longer = new Uint8Array(moov.byteLength + EDTS_BYTES);
  longer.set(moov.subarray(0, behind));
  longer.set(moov.subarray(behind), behind + EDTS_BYTES);
  const view = viewOf(longer);
  view.setUint32(0, longer.byteLength);
  view.setUint32(trakAt, trakBytes + EDTS_BYTES);
  view.setUint32(behind, EDTS_BYTES);
  longer.set(
    [...'edts'].map((letter) => letter.charCodeAt(0)),
    behind + 4,
  );
  view.setUint32(behind + 8, EDTS_BYTES - 8);
  longer.set(
    [...'elst'].map((letter) => letter.charCodeAt(0)),
    behind + 12,
  );
  view.setUint32(behind + 20, 1);
  view.setUint32(behind + 24, 0); // all of the film
  view.setInt32(behind + 28, delay);
  view.setUint32(behind + 32, 0x1_0000);
  return longer;
}

export interface RandomAccessPoint {
  readonly time: number;
  readonly moofOffset: number;
}

/** The box at a file's end that says where its fragments begin: with it players seek without reading all. */
export function fragmentIndex(trackId: number, points: readonly RandomAccessPoint[]): Uint8Array<ArrayBuffer> {
  const ENTRY_BYTES = 19;
  const tfraBytes = 24 + points.length * ENTRY_BYTES;
  const bytes = new Uint8Array(8 + tfraBytes + 16);
  const view = viewOf(bytes);
  const name = (at: number, type: string): void =>
    bytes.set(
      [...type].map((letter) => letter.charCodeAt(0)),
      at,
    );
  view.setUint32(0, bytes.byteLength);
  name(4, 'mfra');
  view.setUint32(8, tfraBytes);
  name(12, 'tfra');
  view.setUint8(16, 1);
  view.setUint32(20, trackId);
  view.setUint32(24, 0); // numbers of one byte each
  view.setUint32(28, points.length);
  points.forEach(({ time, moofOffset }, index) => {
    const at = 32 + index * ENTRY_BYTES;
    view.setBigUint64(at, BigInt(time));
    view.setBigUint64(at + 8, BigInt(moofOffset));
    bytes.set([1, 1, 1], at + 16); // first traf, trun and sample
  });
  const mfro = 8 + tfraBytes;
  view.setUint32(mfro, 16);
  name(mfro + 4, 'mfro');
  view.setUint32(mfro + 12, bytes.byteLength);
  return bytes;
}

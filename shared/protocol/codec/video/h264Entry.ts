// Lets a decoder begin with an H.264 picture that is no IDR, although the pictures before it are missing.
import type { Dependence } from '../../stream/streamPacket.ts';
import { BitWriter } from './bitWriter.ts';
import { addEscapes, removeEscapes } from './escapes.ts';
import { canBeGrey, greyCount, greyPictures, ORDER_STEP } from './greyPictures.ts';
import { NalType, type NalUnit, splitNalUnits, withStartCodes } from './nalUnits.ts';
import { MAX_PICTURE_SET_ID, type Pps, parsePps } from './pps.ts';
import { type Marking, MarkingKind, pictureSetOf, readSliceHeader, type SliceHeader } from './sliceHeader.ts';
import { MAX_SEQUENCE_SET_ID, parseSps, type Sps } from './sps.ts';

type EntryKind = Exclude<Dependence, 'leading'>;

interface Slice {
  readonly plain: Uint8Array;
  readonly header: SliceHeader;
  readonly sps: Sps;
  readonly pps: Pps;
}

/** The camera's counts at the entry. */
interface Origin {
  readonly frameNumber: number;
  readonly order: number;
}

interface Progress {
  readonly origin: Origin;
  /** frame_num of the latest picture as the camera counts it, and (`frames`) as counted without its limit from the entry on. */
  readonly frameNumber: number;
  readonly frames: number;
}

interface Placed extends Progress {
  /** idr_pic_id of an entry that becomes an IDR picture. */
  readonly idrNumber: number | undefined;
  readonly markings: readonly Marking[] | undefined;
}

/** Whether decoding can be made to begin with a picture that is no IDR, by one of its slices. */
export function canEnterAt({ isIntra, isReference, isField, marking }: SliceHeader): boolean {
  return isIntra && isReference && !isField && !makesLong(marking);
}

/** The same for a picture from which gradual refresh begins, with gray pictures in place of those that it refers to. */
export function canRecoverAt({ isReference, isField, marking }: SliceHeader, sps: Sps): boolean {
  return isReference && !isField && !makesLong(marking) && canBeGrey(sps);
}

function makesLong(marking: SliceHeader['marking']): boolean {
  return marking?.markings?.some(({ kind }) => kind === MarkingKind.MakeThisLong) === true;
}

/**
 * Decoders fail where a picture releases a reference that they never had, and some begin only with an IDR picture. So the entry
 * becomes one, from which the pictures after it are counted, and references from before it are not released. Leading pictures,
 * which the caller leaves out, may have had numbers: the sequence set is made to allow that gap.
 *
 * An entry that refers to earlier pictures can't become an IDR picture. Gray pictures, of which the first is one, stand in for
 * those.
 */
export class H264Entry {
  readonly #sequences = new Map<number, Sps>();
  readonly #pictures = new Map<number, Pps>();
  /** LongTermFrameIdx of the references that were made since the entry. */
  readonly #longTerm = new Set<number>();
  readonly #idrNumber: number;
  readonly #kind: EntryKind;
  #standIns: readonly Uint8Array<ArrayBuffer>[] = [];
  #progress: Progress | undefined;

  constructor(idrNumber = 0, kind: EntryKind = 'entry') {
    this.#idrNumber = idrNumber;
    this.#kind = kind;
  }

  /** The access units that a decoder needs before the entry, once the entry was taken; none a second time. */
  takeStandIns(): readonly Uint8Array<ArrayBuffer>[] {
    const standIns = this.#standIns;
    this.#standIns = [];
    return standIns;
  }

  /** The next access unit (the first is the entry) in the form that a decoder takes. Undefined if it can't be read. */
  next(accessUnit: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
    const units: NalUnit[] = [];
    let first: Slice | undefined;
    let placed: Placed | undefined;
    for (const unit of splitNalUnits(accessUnit)) {
      if (unit.type < NalType.Slice || unit.type > NalType.Idr) {
        units.push(this.#keep(unit));
        continue;
      }
      const slice = this.#readSlice(unit);
      if (slice === undefined) return undefined;
      first ??= slice;
      placed ??= this.#place(slice);
      units.push({ type: unit.type, bytes: rewrittenSlice(slice, placed) });
    }
    const isBeginning = this.#progress === undefined;
    if (first !== undefined && placed !== undefined) this.#goOn(first, placed);
    if (first === undefined || !isBeginning || this.#kind === 'entry') return concat(withStartCodes(units));
    const sets = units.filter(isSet);
    this.#standIns = this.#greyIn(first.sps).map((grey, place) =>
      concat(withStartCodes(place === 0 ? [...sets, ...grey] : grey)),
    );
    return concat(withStartCodes(units.filter((unit) => !isSet(unit))));
  }

  #greyIn(sps: Sps): NalUnit[][] {
    let pictureSetId = MAX_PICTURE_SET_ID;
    while (this.#pictures.has(pictureSetId) && pictureSetId > 0) pictureSetId--;
    return greyPictures(sps, { pictureSetId, idrNumber: this.#idrNumber });
  }

  #keep(unit: NalUnit): NalUnit {
    if (unit.type === NalType.Pps) {
      const pps = parsePps(unit.bytes);
      if (pps !== undefined) this.#pictures.set(pps.id, pps);
    }
    const sps = unit.type === NalType.Sps ? parseSps(unit.bytes) : undefined;
    if (sps === undefined || sps.id > MAX_SEQUENCE_SET_ID) return unit;
    this.#sequences.set(sps.id, sps);
    return { type: unit.type, bytes: allowingGaps(unit.bytes, sps) };
  }

  #readSlice({ type, bytes }: NalUnit): Slice | undefined {
    if (type !== NalType.Slice) return undefined;
    const plain = removeEscapes(bytes);
    const pps = this.#pictures.get(pictureSetOf(plain) ?? -1);
    const sps = pps && this.#sequences.get(pps.sequenceId);
    if (pps === undefined || sps === undefined) return undefined;
    const header = readSliceHeader(plain, { sps, pps });
    if (header === undefined || (this.#progress === undefined && !this.#canBegin(header, sps))) return undefined;
    return { plain, header, sps, pps };
  }

  #canBegin(header: SliceHeader, sps: Sps): boolean {
    return this.#kind === 'entry' ? canEnterAt(header) : canRecoverAt(header, sps);
  }

  #place({ header, sps }: Slice): Placed {
    const { frameNumber, order } = header;
    const before = this.#progress;
    if (before === undefined && this.#kind === 'entry') {
      const origin = { frameNumber, order };
      return { idrNumber: this.#idrNumber, origin, frameNumber, frames: 0, markings: undefined };
    }
    const { origin, ...last } = before ?? behindGrey(header, sps);
    const frames = last.frames + modulo(frameNumber - last.frameNumber, 2 ** sps.slices.frameNumberBits);
    const markings = header.marking?.markings?.filter((marking) => this.#isPossible(marking, frames, header.isField));
    // Gray pictures fill the decoder, and leave it one by one where the camera names others.
    const isFull = this.#kind === 'recovering' && markings?.length === 0;
    return { idrNumber: undefined, origin, frameNumber, frames, markings: isFull ? undefined : markings };
  }

  /** Whether the reference that the marking is about has come since the entry. */
  #isPossible({ kind, values: [value = 0] }: Marking, frames: number, isField: boolean): boolean {
    switch (kind) {
      case MarkingKind.ReleaseShort:
      case MarkingKind.MakeLong: {
        // Each field has a number of its own, and those of the same parity are odd.
        const picture = isField ? 2 * frames + 1 - (value + 1) : frames - (value + 1);
        return picture >= 0;
      }
      case MarkingKind.ReleaseLong:
        return this.#longTerm.has(isField ? value >> 1 : value);
      default:
        return true;
    }
  }

  /** A broken stream may name any number: an index that no decoder has is not kept, so that the set is bounded. */
  #keepLongTerm(index: number): void {
    if (index < MAX_LONG_TERM) this.#longTerm.add(index);
  }

  #goOn({ header }: Slice, { origin, frameNumber, frames }: Placed): void {
    this.#progress = { origin, frameNumber, frames };
    for (const { kind, values } of header.marking?.markings ?? []) {
      if (kind === MarkingKind.MakeLong) this.#keepLongTerm(values[1] ?? 0);
      if (kind === MarkingKind.MakeThisLong) this.#keepLongTerm(values[0] ?? 0);
      if (kind !== MarkingKind.ReleaseAll) continue;
      // The camera begins to count at this picture.
      this.#longTerm.clear();
      this.#progress = { origin: { frameNumber: 0, order: 0 }, frameNumber: 0, frames: 0 };
    }
  }
}

/** The entry, counted as the picture after the last gray one. */
function behindGrey({ frameNumber, order }: SliceHeader, sps: Sps): Progress {
  const frames = greyCount(sps);
  return { origin: { frameNumber: frameNumber - frames, order: order - ORDER_STEP * frames }, frameNumber, frames };
}

function isSet({ type }: NalUnit): boolean {
  return type === NalType.Sps || type === NalType.Pps;
}

/** LongTermFrameIdx is below the number of references, which is 16 at most (ITU-T H.264, 7.4.3.3). */
const MAX_LONG_TERM = 16;

function allowingGaps(unit: Uint8Array, { gapsFlagAt }: Sps): Uint8Array {
  const plain = removeEscapes(unit).slice();
  plain[gapsFlagAt >> 3] = (plain[gapsFlagAt >> 3] ?? 0) | (0x80 >> (gapsFlagAt & 7));
  return addEscapes(plain);
}

function rewrittenSlice({ plain, header, sps, pps }: Slice, { idrNumber, origin, markings }: Placed): Uint8Array {
  const { frameNumberBits, orderBits } = sps.slices;
  const isEntry = idrNumber !== undefined;
  const to = new BitWriter();
  const [nalHeader = 0] = plain;
  to.bits(isEntry ? (nalHeader & ~0x1f) | NalType.Idr : nalHeader, 8);
  to.copy(plain, 8, header.frameNumberAt - 8);
  to.bits(modulo(header.frameNumber - origin.frameNumber, 2 ** frameNumberBits), frameNumberBits);
  const behindNumber = header.frameNumberAt + frameNumberBits;
  to.copy(plain, behindNumber, header.orderAt - behindNumber);
  if (isEntry) to.unsigned(idrNumber);
  to.bits(modulo(header.order - origin.order, 2 ** orderBits), orderBits);
  let at = header.orderAt + orderBits;
  if (header.marking !== undefined) {
    to.copy(plain, at, header.marking.at - at);
    writeMarkings(to, isEntry, markings);
    at = header.marking.end;
  }
  if (pps.isArithmetic) {
    to.copy(plain, at, header.end - at);
    to.alignWithOnes();
    at = (header.end + 7) & ~7;
  }
  to.copy(plain, at, 8 * plain.length - at);
  return addEscapes(trimmed(to.bytes()));
}

function writeMarkings(to: BitWriter, isEntry: boolean, markings: readonly Marking[] | undefined): void {
  if (isEntry) {
    to.bits(0, 2); // no_output_of_prior_pics_flag, long_term_reference_flag
    return;
  }
  to.bit(markings === undefined ? 0 : 1);
  if (markings === undefined) return;
  for (const { kind, values } of markings) for (const value of [kind, ...values]) to.unsigned(value);
  to.unsigned(0);
}

/** The bytes without the zeros that shifting has left after the stop bit. */
function trimmed(plain: Uint8Array): Uint8Array {
  let end = plain.length;
  while (end > 0 && plain[end - 1] === 0) end--;
  return plain.subarray(0, end);
}

function modulo(value: number, range: number): number {
  return ((value % range) + range) % range;
}

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((bytes, part) => bytes + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

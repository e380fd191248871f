// One fragment of a growing MP4 file (ISO/IEC 14496-12, 8.8): what its samples are, in front of their bytes.
import { BoxWriter } from './boxWriter.ts';

export interface FragmentSample {
  readonly bytes: number;
  /** To the next sample's decoding, in the track's units. */
  readonly duration: number;
  /** How much later than decoded it is shown, in the track's units; below 0 where it must be. */
  readonly offset: number;
  /** Decoding can begin at it. */
  readonly isKey: boolean;
}

/** A track's samples in a fragment; their bytes lie one behind another. */
export interface SampleRun {
  readonly trackId: number;
  /** When the first is decoded, in the track's units. */
  readonly decodeTime: number;
  readonly samples: readonly FragmentSample[];
}

const TfhdFlag = { Duration: 0x8, Size: 0x10, Flags: 0x20, BaseIsMoof: 0x2_0000 } as const;
const TrunFlag = {
  DataOffset: 0x1,
  FirstFlags: 0x4,
  Duration: 0x100,
  Size: 0x200,
  Flags: 0x400,
  Offset: 0x800,
} as const;
/** sample_depends_on: nothing. */
export const KEY_FLAGS = 0x0200_0000;
/** sample_depends_on: others; sample_is_non_sync_sample. */
const DELTA_FLAGS = 0x0101_0000;
export const MDAT_HEADER_BYTES = 8;

/** The `moof`, and the header of the `mdat` whose bytes are those of the runs in their order. Runs without samples are left out. */
export function fragmentHead(sequenceNumber: number, runs: readonly SampleRun[]): Uint8Array<ArrayBuffer> {
  const filled = runs.filter(({ samples }) => samples.length > 0);
  const to = new BoxWriter(256 + 16 * filled.reduce((count, { samples }) => count + samples.length, 0));
  const places: number[] = [];
  to.box('moof', () => {
    to.fullBox('mfhd', {}, () => to.u32(sequenceNumber));
    for (const run of filled) to.box('traf', () => places.push(writeTrack(to, run)));
  });
  let offset = to.length + MDAT_HEADER_BYTES;
  for (const [index, { samples }] of filled.entries()) {
    to.setU32(places[index] ?? 0, offset);
    for (const { bytes } of samples) offset += bytes;
  }
  writeMediaHead(to, offset - to.length);
  return to.finish();
}

/** The header of an `mdat` with so many bytes behind it. */
export function mediaHead(bytes: number): Uint8Array<ArrayBuffer> {
  const to = new BoxWriter(MDAT_HEADER_BYTES);
  writeMediaHead(to, MDAT_HEADER_BYTES + bytes);
  return to.finish();
}

/** `boxBytes` with the header. */
function writeMediaHead(to: BoxWriter, boxBytes: number): void {
  if (boxBytes > 0xffff_ffff) throw new RangeError(`a fragment of ${boxBytes} bytes`);
  to.u32(boxBytes);
  to.ascii('mdat');
}

/** What the samples of a run share is said once. Gives the place of the run's data offset, to be filled in. */
function writeTrack(to: BoxWriter, { trackId, decodeTime, samples }: SampleRun): number {
  const duration = shared(samples, (sample) => sample.duration);
  const bytes = shared(samples, (sample) => sample.bytes);
  const flags = sharedFlags(samples);
  const defaults =
    (duration === undefined ? 0 : TfhdFlag.Duration) | (bytes === undefined ? 0 : TfhdFlag.Size) | TfhdFlag.Flags;
  to.fullBox('tfhd', { flags: TfhdFlag.BaseIsMoof | defaults }, () => {
    to.u32(trackId);
    if (duration !== undefined) to.u32(duration);
    if (bytes !== undefined) to.u32(bytes);
    to.u32(flags.others ?? DELTA_FLAGS);
  });
  to.fullBox('tfdt', { version: 1 }, () => to.u64(decodeTime));
  const has = {
    first: flags.others !== undefined && flags.first !== flags.others,
    duration: duration === undefined,
    size: bytes === undefined,
    flags: flags.others === undefined,
    offset: samples.some(({ offset }) => offset !== 0),
  };
  let place = 0;
  to.fullBox('trun', { version: 1, flags: runFlags(has) }, () => {
    to.u32(samples.length);
    place = to.length;
    to.u32(0);
    if (has.first) to.u32(flags.first);
    for (const sample of samples) {
      if (has.duration) to.u32(sample.duration);
      if (has.size) to.u32(sample.bytes);
      if (has.flags) to.u32(flagsOf(sample));
      if (has.offset) to.i32(sample.offset);
    }
  });
  return place;
}

function runFlags(has: Readonly<Record<'first' | 'duration' | 'size' | 'flags' | 'offset', boolean>>): number {
  return (
    TrunFlag.DataOffset |
    (has.first ? TrunFlag.FirstFlags : 0) |
    (has.duration ? TrunFlag.Duration : 0) |
    (has.size ? TrunFlag.Size : 0) |
    (has.flags ? TrunFlag.Flags : 0) |
    (has.offset ? TrunFlag.Offset : 0)
  );
}

function flagsOf({ isKey }: FragmentSample): number {
  return isKey ? KEY_FLAGS : DELTA_FLAGS;
}

/** The first sample's flags and those of all others; `others` is undefined where they differ. */
function sharedFlags(samples: readonly FragmentSample[]): {
  readonly first: number;
  readonly others: number | undefined;
} {
  const [first] = samples;
  const own = first === undefined ? DELTA_FLAGS : flagsOf(first);
  const rest = samples.slice(1);
  return { first: own, others: rest.length === 0 ? own : shared(rest, flagsOf) };
}

function shared(samples: readonly FragmentSample[], of: (sample: FragmentSample) => number): number | undefined {
  const [first] = samples;
  const value = first && of(first);
  return samples.every((sample) => of(sample) === value) ? value : undefined;
}

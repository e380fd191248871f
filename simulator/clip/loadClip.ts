import { readFile } from 'node:fs/promises';
import { isBSlice } from '../../server/media/h264/slice.ts';
import { HevcNalType, hevcTypeOf } from '../../server/media/h265/nalTypes.ts';
import { NalType, splitNalUnits } from '../../shared/protocol/codec/video/nalUnits.ts';
import { LOOP_FRAMES } from './clipFormat.ts';
import { CLIPS, type ClipName } from './clipList.ts';

export interface ClipFrame {
  /** Annex B; a key frame with its parameter sets. */
  readonly bytes: Uint8Array;
  readonly isKey: boolean;
  readonly isB: boolean;
  /** The loop position at which it is shown; another than its own where there are B pictures. */
  readonly shownAt: number;
}

/** The frames of a clip in the order that they are sent in, one a loop position. */
export interface Clip {
  readonly codec: 'H264' | 'H265';
  readonly keyFrameInterval: number;
  /** How many frames a picture may come before it is shown. */
  readonly reorderFrames: number;
  readonly frames: readonly ClipFrame[];
}

const DELIMITERS = { H264: [0, 0, 0, 1, NalType.AccessUnitDelimiter], H265: [0, 0, 0, 1, 0x46, 1] } as const;

/** Reads a clip made by makeClip. Throws when the file is not one: it is part of the product, not input. */
export async function loadClip(file: URL): Promise<Clip> {
  const codec = file.pathname.endsWith('.h265') ? 'H265' : 'H264';
  const bytes = new Uint8Array(await readFile(file));
  const starts = findDelimiters(bytes, DELIMITERS[codec]);
  const units = starts.map((start, index) => toUnit(bytes.subarray(start, starts[index + 1] ?? bytes.length), codec));
  const keyFrameInterval = units.findIndex(({ isKey }, at) => at > 0 && isKey);
  const isWhole =
    units.length === LOOP_FRAMES && units.every(({ isKey }, at) => isKey === (at % keyFrameInterval === 0));
  if (!isWhole) throw new Error(`${file.pathname} holds ${units.length} frames, or its key frames are elsewhere`);
  const shownAt = showingOrder(units.map(({ isB }) => isB));
  const frames = units.map((unit, at) => ({ ...unit, shownAt: shownAt[at] ?? at }));
  return { codec, keyFrameInterval, reorderFrames: Math.max(...frames.map((each, at) => each.shownAt - at)), frames };
}

export function loadDemoClip(name: ClipName): Promise<Clip> {
  return loadClip(new URL(`../clips/${CLIPS[name].file}`, import.meta.url));
}

/** All of them, by name. */
export async function loadDemoClips(): Promise<Readonly<Record<ClipName, Clip>>> {
  const names = Object.keys(CLIPS) as ClipName[];
  const clips = await Promise.all(names.map(async (name) => [name, await loadDemoClip(name)] as const));
  return Object.fromEntries(clips) as Record<ClipName, Clip>;
}

/** B pictures are sent behind the picture that they refer to ahead, and shown before it. */
export function showingOrder(isB: readonly boolean[]): number[] {
  const shownAt: number[] = [];
  for (let at = 0; at < isB.length; at++) {
    if (isB[at] === true) {
      shownAt.push(at - 1);
      continue;
    }
    let followers = 0;
    while (isB[at + 1 + followers] === true) followers++;
    shownAt.push(at + followers);
  }
  return shownAt;
}

function findDelimiters(bytes: Uint8Array, delimiter: readonly number[]): number[] {
  const starts: number[] = [];
  for (let at = bytes.indexOf(1, 3); at >= 0; at = bytes.indexOf(1, at + 1)) {
    if (delimiter.every((value, index) => bytes[at - 3 + index] === value)) starts.push(at - 3);
  }
  return starts;
}

function toUnit(bytes: Uint8Array, codec: Clip['codec']): Pick<ClipFrame, 'bytes' | 'isKey' | 'isB'> {
  const units = splitNalUnits(bytes);
  if (codec === 'H265') {
    const isKey = units.some(
      (unit) => hevcTypeOf(unit) >= HevcNalType.BlaWLp && hevcTypeOf(unit) <= HevcNalType.LastIrap,
    );
    return { bytes, isKey, isB: false };
  }
  const isKey = units.some((unit) => unit.type === NalType.Idr);
  return { bytes, isKey, isB: units.some((unit) => isBSlice(unit.bytes)) };
}

import { readFile } from 'node:fs/promises';
import { NalType, splitNalUnits } from '../../device/h264/annexB.ts';
import { KEY_FRAME_INTERVAL, LOOP_FRAMES } from './clipFormat.ts';

export interface ClipFrame {
  /** Annex B; a key frame with its parameter sets. */
  readonly bytes: Uint8Array;
  readonly isKey: boolean;
}

/** The frames of a clip, one a loop position. */
export interface Clip {
  readonly frames: readonly ClipFrame[];
}

const DELIMITER = [0, 0, 0, 1, NalType.AccessUnitDelimiter] as const;

/** Reads a clip made by makeClip. Throws when the file is not one: it is part of the product, not input. */
export async function loadClip(file: URL): Promise<Clip> {
  const bytes = new Uint8Array(await readFile(file));
  const starts = findDelimiters(bytes);
  const frames = starts.map((start, index) => toFrame(bytes.subarray(start, starts[index + 1] ?? bytes.length)));
  const isWhole =
    frames.length === LOOP_FRAMES && frames.every(({ isKey }, at) => isKey === (at % KEY_FRAME_INTERVAL === 0));
  if (!isWhole) throw new Error(`${file.pathname} holds ${frames.length} frames, or its key frames are elsewhere`);
  return { frames };
}

function findDelimiters(bytes: Uint8Array): number[] {
  const starts: number[] = [];
  for (let at = 0; at + DELIMITER.length <= bytes.length; at++) {
    if (DELIMITER.every((value, index) => bytes[at + index] === value)) starts.push(at);
  }
  return starts;
}

function toFrame(bytes: Uint8Array): ClipFrame {
  return { bytes, isKey: splitNalUnits(bytes).some((unit) => unit.type === NalType.Idr) };
}

// A mp4's sound as ffmpeg decodes it, to be compared with what was recorded.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AAC_FRAME_SAMPLES } from '../../../server/recording/export/adts.ts';

/** Nothing is resampled or mixed. Throws where the decoder complains about anything. */
export async function decodeSound(ffmpegPath: string, mp4: string): Promise<Int16Array> {
  const strict = ['-v', 'warning', '-xerror', '-err_detect', 'crccheck+explode'];
  const args = [...strict, '-i', mp4, '-map', '0:a', '-f', 's16le', '-'];
  const { stdout, stderr } = await promisify(execFile)(ffmpegPath, args, {
    encoding: 'buffer',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (stderr.length > 0) throw new Error(String(stderr));
  return Int16Array.from({ length: stdout.length / 2 }, (_, at) => stdout.readInt16LE(at * 2));
}

/**
 * What an encoder may lose of any sound at least: two steps of 16 bits, on average over one of its frames. A single click of hardly more is
 * spread over a whole frame, and lost in it.
 */
const UNHEARD_RMS = 2;

/**
 * How far the sound is above what was lost of it, in decibels; infinite where nothing of it could be heard. Sample is compared
 * with sample: sound that is only late counts as lost.
 */
export function fidelityDb(found: Int16Array | Float32Array, expected: Int16Array): number {
  let energy = 0;
  let lost = 0;
  for (const [at, sample] of expected.entries()) {
    energy += sample ** 2;
    lost += (sample - (found[at] ?? 0)) ** 2;
  }
  if (lost <= UNHEARD_RMS ** 2 * Math.max(expected.length, AAC_FRAME_SAMPLES)) return Number.POSITIVE_INFINITY;
  return 10 * Math.log10(energy / lost);
}

/** The largest sample of a range, whatever its sign, and where it stands. */
export function peakOf(samples: Int16Array, from: number, end: number): { readonly at: number; readonly size: number } {
  let peak = { at: from, size: 0 };
  for (let at = from; at < end; at++) {
    const size = Math.abs(samples[at] ?? 0);
    if (size > peak.size) peak = { at, size };
  }
  return peak;
}

// A mp4's sound as ffmpeg decodes it, to be compared sample by sample.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Nothing is resampled or mixed. Throws where a frame's checks do not hold, or anything else is complained about. */
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

/** Where they differ first, shown with what stands there: a list of a million samples tells nobody anything. */
export function firstDifference(found: Int16Array, expected: Int16Array): string | undefined {
  const at = found.findIndex((sample, index) => sample !== expected[index]);
  if (at >= 0) return `sample ${at}: ${found[at]}, not ${expected[at]}`;
  return found.length === expected.length ? undefined : `${found.length} samples, not ${expected.length}`;
}

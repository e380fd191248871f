import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { decodeStrip, STRIP_BLOCK_PIXELS, STRIP_BLOCKS } from '../../../simulator/clip/frameStrip.ts';

const run = promisify(execFile);

/** What the strip of every picture of a mp4 says, in the order in which they are shown. */
export async function burntInFrames(ffmpegPath: string, file: string): Promise<(number | undefined)[]> {
  const width = STRIP_BLOCKS * STRIP_BLOCK_PIXELS;
  const filter = `crop=${width}:${STRIP_BLOCK_PIXELS}:0:0,format=gray`;
  const args = ['-v', 'error', '-i', file, '-vf', filter, '-fps_mode', 'passthrough', '-f', 'rawvideo', '-'];
  const { stdout } = await run(ffmpegPath, args, { encoding: 'buffer', maxBuffer: 1024 * 1024 * 1024 });
  const bytes = width * STRIP_BLOCK_PIXELS;
  return Array.from({ length: stdout.length / bytes }, (_, picture) => {
    const row = picture * bytes + (STRIP_BLOCK_PIXELS / 2) * width + STRIP_BLOCK_PIXELS / 2;
    const isWhite = Array.from(
      { length: STRIP_BLOCKS },
      (_, block) => (stdout[row + block * STRIP_BLOCK_PIXELS] ?? 0) > 127,
    );
    return decodeStrip(isWhite)?.frame;
  });
}

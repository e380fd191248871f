// Makes server/demo/clips/road.h264 with ffmpeg: `npx tsx server/demo/clip/makeClip.ts`. The result is committed, so
// only a change of the scene needs this.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { CLIP_HEIGHT, CLIP_WIDTH, FRAMES_PER_SECOND, KEY_FRAME_INTERVAL, LOOP_FRAMES } from './clipFormat.ts';
import { createPicture } from './planes.ts';
import { paintScene } from './scene.ts';

const OUTPUT = fileURLToPath(new URL('../clips/road.h264', import.meta.url));
/** Each frame its own access unit behind a delimiter, key frames on time, no B frames, closed groups: a loop can be cut anywhere. */
const ENCODER = `keyint=${KEY_FRAME_INTERVAL}:min-keyint=${KEY_FRAME_INTERVAL}:scenecut=0:bframes=0:aud=1:repeat-headers=1`;

const ffmpeg = spawn(
  process.env['FFMPEG_PATH'] ?? 'ffmpeg',
  [
    ...['-hide_banner', '-loglevel', 'error', '-y'],
    ...['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-s', `${CLIP_WIDTH}x${CLIP_HEIGHT}`, '-r', `${FRAMES_PER_SECOND}`],
    ...['-i', '-', '-c:v', 'libx264', '-profile:v', 'main', '-preset', 'veryslow', '-b:v', '185k', '-maxrate', '260k'],
    ...['-bufsize', '520k', '-x264-params', ENCODER, '-f', 'h264', OUTPUT],
  ],
  { stdio: ['pipe', 'inherit', 'inherit'] },
);

for (let frame = 0; frame < LOOP_FRAMES; frame++) {
  const picture = createPicture(CLIP_WIDTH, CLIP_HEIGHT);
  paintScene(picture, frame, 1);
  for (const plane of [picture.luma, picture.blue, picture.red]) {
    if (!ffmpeg.stdin.write(plane)) await once(ffmpeg.stdin, 'drain');
  }
}
ffmpeg.stdin.end();
const [exitCode] = await once(ffmpeg, 'close');
if (exitCode !== 0) throw new Error(`ffmpeg ended with ${String(exitCode)}`);

// Makes the clips in simulator/clips with ffmpeg: `npx tsx simulator/clip/makeClip.ts [name...]`, all of them without a
// name. The results are committed, so only a change of a scene needs this.
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { FRAMES_PER_SECOND, LOOP_FRAMES } from './clipFormat.ts';
import { CLIPS, type ClipRecipe } from './clipList.ts';
import { startFedProcess } from './fedProcess.ts';
import { paintScene } from './scene.ts';

/** Each frame its own access unit behind a delimiter, key frames on time, closed groups: a loop can be cut anywhere. */
function encoderOf({ codec, keyFrameInterval, bPictures, kilobitsPerSecond }: ClipRecipe): string[] {
  const groups = `keyint=${keyFrameInterval}:min-keyint=${keyFrameInterval}:scenecut=0:aud=1:repeat-headers=1`;
  const order = bPictures === 0 ? 'bframes=0' : `bframes=${bPictures}:b-adapt=0:b-pyramid=none`;
  const most = Math.round(kilobitsPerSecond * 1.4);
  const rate = ['-b:v', `${kilobitsPerSecond}k`, '-maxrate', `${most}k`, '-bufsize', `${2 * most}k`];
  return codec === 'H264'
    ? [
        'libx264',
        '-profile:v',
        'main',
        '-preset',
        'veryslow',
        ...rate,
        '-x264-params',
        `${groups}:${order}`,
        '-f',
        'h264',
      ]
    : [
        'libx265',
        '-preset',
        'medium',
        ...rate,
        '-x265-params',
        `${groups}:${order}:open-gop=0:log-level=error`,
        '-f',
        'hevc',
      ];
}

async function makeClip(recipe: ClipRecipe): Promise<void> {
  const output = fileURLToPath(new URL(`../clips/${recipe.file}`, import.meta.url));
  const size = `${recipe.width}x${recipe.height}`;
  const { input, ended } = startFedProcess(process.env.FFMPEG_PATH ?? 'ffmpeg', [
    '-hide_banner',
    '-loglevel',
    'error',
    '-y',
    '-f',
    'rawvideo',
    '-pix_fmt',
    'yuv420p',
    '-s',
    size,
    '-r',
    `${FRAMES_PER_SECOND}`,
    '-i',
    '-',
    '-c:v',
    ...encoderOf(recipe),
    output,
  ]);
  for (let frame = 0; frame < LOOP_FRAMES; frame++) {
    const picture = paintScene(frame, recipe);
    for (const plane of [picture.luma, picture.blue, picture.red]) {
      if (input.writable && !input.write(plane)) await Promise.race([once(input, 'drain'), ended]);
    }
  }
  input.end();
  const exitCode = await ended;
  if (exitCode !== 0) throw new Error(`ffmpeg ended with ${exitCode}`);
}

const wanted = process.argv.slice(2);
for (const [name, recipe] of Object.entries(CLIPS)) {
  if (wanted.length === 0 || wanted.includes(name)) await makeClip(recipe);
}

import { machine } from '../../../server/setup/lookups.mjs';
import { ffmpeg } from '../../../server/setup/tools.mjs';

export interface Ffmpeg {
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
}

/** For `describe.skipIf(findFfmpeg() === undefined)`. In CI a missing ffmpeg is an error instead. */
export function findFfmpeg(): Ffmpeg | undefined {
  const found = ffmpeg.find(machine);
  if (found?.FFMPEG_PATH !== undefined && found.FFPROBE_PATH !== undefined) {
    return { ffmpegPath: found.FFMPEG_PATH, ffprobePath: found.FFPROBE_PATH };
  }
  if (process.env.CI === 'true') throw new Error(`no ${ffmpeg.name}: ${ffmpeg.advice}`);
  return undefined;
}

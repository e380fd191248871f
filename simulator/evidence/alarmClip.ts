// A piece of a camera's video as an MP4 file.
import { Mp4Writer } from '../../server/recording/export/mp4/mp4Writer.ts';
import { readVideoTrack } from '../../server/recording/export/videoConfig.ts';
import { Codec } from '../../shared/protocol/stream/streamPacket.ts';
import type { CardFile } from '../card/cardContents.ts';
import { FRAME_MS, frameAt } from '../clip/clipFormat.ts';
import type { Clip } from '../clip/loadClip.ts';

/** Whole groups of pictures that hold the range, without sound, dated by a clock that is so much ahead. */
export function alarmClip(clip: Clip, { startMs, endMs }: CardFile, aheadMs = 0): Uint8Array {
  const interval = clip.keyFrameInterval;
  const first = Math.floor(startMs / FRAME_MS / interval) * interval;
  const behind = Math.ceil(endMs / FRAME_MS / interval) * interval;
  const frames = Array.from({ length: behind - first }, (_, at) => {
    const position = frameAt((first + at) * FRAME_MS);
    const frame = clip.frames[position];
    if (frame === undefined) throw new Error(`the clip has no frame ${position}`);
    return { ...frame, shownInMs: (at + frame.shownAt - position) * FRAME_MS };
  });
  const video = frames[0] && readVideoTrack(Codec[clip.codec], frames[0].bytes);
  if (video === undefined) throw new Error('the clip has no pictures in that range');
  const durationMs = frames.length * FRAME_MS;
  const writer = new Mp4Writer({ video, sound: undefined, startMs: first * FRAME_MS + aheadMs, durationMs });
  for (const { bytes, isKey, shownInMs } of frames) {
    writer.addPicture({ bytes: Uint8Array.from(bytes), timeUs: shownInMs * 1000, isKey });
  }
  writer.finish();
  return writer.take() ?? new Uint8Array(0);
}

// The clips in simulator/clips: what each shows, and how it is encoded. makeClip makes them, the demo plays them.
import { CLIP_HEIGHT, CLIP_WIDTH, FRAMES_PER_SECOND, SUB_CLIP_HEIGHT, SUB_CLIP_WIDTH } from './clipFormat.ts';

export type ClipView = 'road' | 'rear' | 'side' | 'cabin';

export interface ClipRecipe {
  readonly file: string;
  readonly view: ClipView;
  readonly width: number;
  readonly height: number;
  /** Burnt into the strip. */
  readonly channel: number;
  readonly codec: 'H264' | 'H265';
  readonly keyFrameInterval: number;
  /** Pictures between two others that they refer to; shown in another order than they are sent in. */
  readonly bPictures: number;
  readonly kilobitsPerSecond: number;
}

const TWO_SECONDS = 2 * FRAMES_PER_SECOND;

export const CLIPS = {
  road: recipe('road.h264', 'road', { channel: 1, kilobitsPerSecond: 185 }),
  /** Groups of ten seconds, as cameras are set that are to save storage. */
  rear: recipe('rear.h264', 'rear', { channel: 2, keyFrameInterval: 10 * FRAMES_PER_SECOND, kilobitsPerSecond: 150 }),
  /** With two B pictures between others. */
  cabin: recipe('cabin.h264', 'cabin', { channel: 3, bPictures: 2, kilobitsPerSecond: 120 }),
  side: recipe('side.h265', 'side', { channel: 4, codec: 'H265', kilobitsPerSecond: 120 }),
  // What the same cameras send as their small picture.
  roadSub: subRecipe('road-sub.h264', 'road', { channel: 1, kilobitsPerSecond: 45 }),
  rearSub: subRecipe('rear-sub.h264', 'rear', { channel: 2, kilobitsPerSecond: 45 }),
  cabinSub: subRecipe('cabin-sub.h264', 'cabin', { channel: 3, kilobitsPerSecond: 36 }),
  sideSub: subRecipe('side-sub.h264', 'side', { channel: 4, kilobitsPerSecond: 40 }),
} as const;
export type ClipName = keyof typeof CLIPS;

/** What a channel's camera looks at. H.265 is on the last of eight alone, in its large picture: not every browser decodes it. */
export function viewOf(channel: number): ClipView {
  return channel === 8 ? 'side' : ((['road', 'rear', 'cabin'] as const)[(channel - 1) % 3] ?? 'road');
}

type Rest = Partial<ClipRecipe> & Pick<ClipRecipe, 'channel' | 'kilobitsPerSecond'>;

function recipe(file: string, view: ClipView, rest: Rest): ClipRecipe {
  return {
    file,
    view,
    width: CLIP_WIDTH,
    height: CLIP_HEIGHT,
    codec: 'H264',
    keyFrameInterval: TWO_SECONDS,
    bPictures: 0,
    ...rest,
  };
}

function subRecipe(file: string, view: ClipView, rest: Rest): ClipRecipe {
  return recipe(file, view, { ...rest, width: SUB_CLIP_WIDTH, height: SUB_CLIP_HEIGHT });
}

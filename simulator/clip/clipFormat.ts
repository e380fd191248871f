// The common format of the demo's clips: their loop is locked to the clock, so the picture of any moment is known.

export const CLIP_WIDTH = 640;
export const CLIP_HEIGHT = 360;
/** Width of the small picture, the narrowest that the strip still fits in. */
export const SUB_CLIP_WIDTH = 384;
export const SUB_CLIP_HEIGHT = 216;
export const FRAMES_PER_SECOND = 25;
export const FRAME_MS = 1000 / FRAMES_PER_SECOND;
/** The loop takes a minute, so the burnt-in seconds agree with any clock. */
export const LOOP_FRAMES = 60 * FRAMES_PER_SECOND;
export const KEY_FRAME_INTERVAL = 2 * FRAMES_PER_SECOND;

/** The number, from 0, of the clip's frame that belongs to a moment. */
export function frameAt(wallMs: number): number {
  return Math.floor(wallMs / FRAME_MS) % LOOP_FRAMES;
}

// Which pictures, in decoding order, bring a viewer to a moment, and at which moments pictures are shown. Pure.
// Pictures with B frames are sent in another order than they are shown in: a reference comes before pictures that are
// shown earlier, so "everything up to a moment" is not simply a comparison of each picture's time.
import type { Dependence } from '../../../shared/protocol/stream/streamPacket.ts';

export interface OrderedPicture {
  readonly isKey: boolean;
  /** When it is shown. */
  readonly timeUs: number;
  /** A leading picture comes behind a key frame and is shown before it. */
  readonly dependence?: Dependence | undefined;
}

export interface DuePictures {
  /** How many of the pictures, from the first, are to be sent. */
  readonly count: number;
  /** False: the list ended before it was clear that nothing behind it is shown by then. */
  readonly isComplete: boolean;
}

/**
 * The pictures to send for everything shown at or before `untilUs` to be decodable, and none beyond the last of those.
 * `sentMaxUs` is the latest time among the pictures of the group that were sent before; -Infinity at a key frame.
 *
 * A picture that is later than all before it is a reference. Once the reference before it was late already, whatever
 * follows is late too. Behind a key frame that is late, only leading pictures may be due.
 */
export function duePictures(pictures: readonly OrderedPicture[], untilUs: number, sentMaxUs: number): DuePictures {
  let maxUs = sentMaxUs;
  let count = 0;
  for (const [index, picture] of pictures.entries()) {
    const isLate = picture.timeUs > untilUs;
    if (isLate && picture.isKey) {
      const leading = dueLeading(pictures, index, untilUs);
      if (leading !== 'some') return { count, isComplete: leading === 'none' };
    }
    if (isLate && !picture.isKey && maxUs > untilUs && picture.timeUs > maxUs) return { count, isComplete: true };
    maxUs = picture.isKey ? picture.timeUs : Math.max(maxUs, picture.timeUs);
    if (!isLate) count = index + 1;
  }
  return { count, isComplete: false };
}

/** Whether pictures behind the key frame are due before it. `unknown`: they may still come. */
function dueLeading(pictures: readonly OrderedPicture[], keyAt: number, untilUs: number): 'some' | 'none' | 'unknown' {
  const dependence = pictures[keyAt]?.dependence;
  if (dependence !== 'entry' && dependence !== 'recovering') return 'none';
  for (const picture of pictures.slice(keyAt + 1)) {
    if (picture.dependence !== 'leading') return 'none';
    if (picture.timeUs <= untilUs) return 'some';
  }
  return 'unknown';
}

/** The index of the picture on the screen at a moment, in times that rise; -1 before the first. */
export function shownIndex(timesUs: readonly number[], atUs: number): number {
  let low = 0;
  let high = timesUs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((timesUs[middle] ?? 0) <= atUs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

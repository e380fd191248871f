// Packets say when a picture is shown. A file says when it is decoded, and how much later it is shown.

export interface PictureTimes {
  /** Rising strictly. */
  readonly decoded: readonly number[];
  readonly shown: readonly number[];
  /** Behind all of them: from here on the pictures that follow have their moments. */
  readonly end: number;
}

export interface TimeBounds {
  /** No picture is decoded or shown before. */
  readonly from: number;
  /** How much earlier than decoded a picture may be shown; a file's edit list takes so much off. */
  readonly delay: number;
}

/**
 * Times of pictures that come in decoding order, in whole units. The moments of decoding are those of showing in their
 * order, or earlier where the delay would not suffice. Where a moment is taken already (the clock was set back, or two are
 * the same) the picture has the next free one: no reader gets along with times that stand still.
 */
export function timePictures(wanted: readonly number[], { from, delay }: TimeBounds): PictureTimes {
  if (isRising(wanted)) {
    const times = risingFrom(wanted, from);
    return { decoded: times, shown: times, end: (times.at(-1) ?? from - 1) + 1 };
  }
  const order = wanted.map((_, place) => place).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0) || a - b);
  const moments = risingFrom(
    order.map((place) => wanted[place] ?? 0),
    from,
  );
  const shown = new Array<number>(wanted.length);
  for (const [rank, place] of order.entries()) shown[place] = moments[rank] ?? 0;
  const decoded = risingFrom(noLaterThan(shown, delay, moments), from);
  return { decoded, shown, end: (moments.at(-1) ?? from - 1) + 1 };
}

/** The moments, but so early that neither the picture nor one behind it is shown more than `delay` before it is decoded. */
function noLaterThan(shown: readonly number[], delay: number, moments: readonly number[]): number[] {
  const decoded = [...moments];
  let latest = Number.POSITIVE_INFINITY;
  for (let place = shown.length - 1; place >= 0; place--) {
    latest = Math.min(latest - 1, (shown[place] ?? 0) + delay);
    decoded[place] = Math.min(decoded[place] ?? 0, latest);
  }
  return decoded;
}

function isRising(times: readonly number[]): boolean {
  for (let at = 1; at < times.length; at++) if ((times[at] ?? 0) <= (times[at - 1] ?? 0)) return false;
  return true;
}

function risingFrom(sorted: readonly number[], from: number): number[] {
  let free = from;
  return sorted.map((time) => {
    const taken = Math.max(time, free);
    free = taken + 1;
    return taken;
  });
}

/** Pictures that a decoder may hold back for their order, at most (both standards). */
const MAX_HELD_PICTURES = 16;

/**
 * How many of the pictures, which come in decoding order, are all shown before the others and before any that may still
 * come; 0 when that can be said of none. There a group that is too long to be held is divided.
 */
export function settledPictures(wanted: readonly number[]): number {
  let earliestBehind = Number.POSITIVE_INFINITY;
  for (let at = wanted.length - 1; at >= wanted.length - MAX_HELD_PICTURES && at >= 0; at--) {
    earliestBehind = Math.min(earliestBehind, wanted[at] ?? 0);
  }
  const latestBefore: number[] = [];
  for (const time of wanted) latestBefore.push(Math.max(latestBefore.at(-1) ?? Number.NEGATIVE_INFINITY, time));
  for (let count = wanted.length - MAX_HELD_PICTURES; count > 0; count--) {
    if ((latestBefore[count - 1] ?? 0) < earliestBehind) return count;
    earliestBehind = Math.min(earliestBehind, wanted[count - 1] ?? 0);
  }
  return 0;
}

// Stretches and moments of a span, in order. Pure.

/** Half open. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

export function isWithin({ fromMs, toMs }: TimeRange, atMs: number): boolean {
  return fromMs <= atMs && atMs < toMs;
}

/** The ranges in order, with those that overlap or touch merged; empty ones are left out. */
export function mergedRanges(ranges: readonly TimeRange[]): readonly TimeRange[] {
  const whole: TimeRange[] = [];
  for (const range of ranges.toSorted((left, right) => left.fromMs - right.fromMs)) {
    if (range.fromMs >= range.toMs) continue;
    const last = whole.at(-1);
    if (last === undefined || range.fromMs > last.toMs) whole.push(range);
    else whole[whole.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, range.toMs) };
  }
  return whole;
}

/** What lies in all of the lists, each of which is in order and has none that touch. */
export function commonRanges(lists: readonly (readonly TimeRange[])[]): readonly TimeRange[] {
  const [first = [], ...others] = lists;
  return others.reduce(commonOfTwo, first);
}

function commonOfTwo(left: readonly TimeRange[], right: readonly TimeRange[]): readonly TimeRange[] {
  const common: TimeRange[] = [];
  let at = 0;
  for (const range of left) {
    while (at < right.length && (right[at]?.toMs ?? 0) <= range.fromMs) at++;
    for (let next = at; next < right.length; next++) {
      const other = right[next];
      if (other === undefined || other.fromMs >= range.toMs) break;
      common.push({ fromMs: Math.max(range.fromMs, other.fromMs), toMs: Math.min(range.toMs, other.toMs) });
    }
  }
  return common;
}

/** The last place whose moment is not after this one; -1 for none. The moments rise. */
export function placeAt(moments: readonly number[], atMs: number): number {
  let low = 0;
  let high = moments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle] ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The next of rising moments; undefined behind the last. */
export function nextMoment(moments: readonly number[], atMs: number): number | undefined {
  return moments[placeAt(moments, atMs) + 1];
}

/** The one before; that which is passed just now counts as passed after a while, so that a second press leads further back. */
export function previousMoment(moments: readonly number[], atMs: number, slackMs = 0): number | undefined {
  const at = placeAt(moments, atMs);
  const here = moments[at];
  return here !== undefined && here < atMs - slackMs ? here : moments[at - 1];
}

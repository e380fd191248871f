// Whether an item is still worth fetching when its turn comes. Pure.
import type { TimeRange } from '../../../shared/protocol/timeRanges.ts';
import { lengthOf, subtract } from '../../../shared/protocol/timeSpans.ts';
import type { DeviceFile } from './files.ts';

export type Review =
  /** The parts of it that are not here, in order. */
  | { readonly kind: 'missing'; readonly ranges: readonly TimeRange[] }
  | { readonly kind: 'here' }
  /** The device had it, and no longer has it. */
  | { readonly kind: 'gone' };

/** The time between two pictures and the error of a device's clock leave small rests. */
export const CRUMB_MS = 2_000;

export function reviewItem(
  item: TimeRange & { readonly channel: number },
  here: readonly TimeRange[],
  files: readonly DeviceFile[],
): Review {
  const ranges = subtract([{ fromMs: item.fromMs, toMs: item.toMs }], here).filter(
    (range) => lengthOf([range]) >= CRUMB_MS,
  );
  if (ranges.length === 0) return { kind: 'here' };
  const inItem = files.filter((file) => file.channel === item.channel && ranges.some((range) => overlap(file, range)));
  const isGone = inItem.length > 0 && inItem.every((file) => file.isGone);
  return isGone ? { kind: 'gone' } : { kind: 'missing', ranges };
}

function overlap(left: TimeRange, right: TimeRange): boolean {
  return left.fromMs < right.toMs && left.toMs > right.fromMs;
}

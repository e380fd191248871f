// When a message may be sent, where quiet hours hold it up. Pure.
import { endOfWindow } from '../../../shared/protocol/weekWindowEnds.ts';
import type { Hours } from './notifyFacts.ts';

/** The rule's and the member's hours may take turns; more often than that they never leave a gap. */
const MAX_TURNS = 50;
const LONGEST_MS = 8 * 86_400_000;

/**
 * The first moment from `atMs` on that lies in none of the hours. Hours that together never end are as good as none: a message
 * is late enough to be useless then, and keeping it back would tell nobody at all.
 */
export function endOfQuiet(hours: readonly Hours[], atMs: number): number {
  let untilMs = atMs;
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const endMs = nextEnd(hours, untilMs);
    if (endMs === undefined) return untilMs;
    untilMs = endMs;
    if (untilMs - atMs > LONGEST_MS) break;
  }
  return atMs;
}

function nextEnd(hours: readonly Hours[], atMs: number): number | undefined {
  for (const { schedule, timeZone } of hours) {
    const endMs = endOfWindow(schedule, timeZone, atMs);
    if (endMs !== undefined) return endMs;
  }
  return undefined;
}

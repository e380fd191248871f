// Time of a device's recordings that rules don't plan again. Pure.
import type { TimeRange } from '../../../shared/protocol/timeRanges.ts';
import type { TakenSpan } from '../../store/sync/syncItems.ts';

/** Time of present and former items, by channel, except those that may be planned again. */
export function takenTime(items: readonly TakenSpan[]): Map<number, TimeRange[]> {
  const channels = new Map<number, TimeRange[]>();
  for (const item of items) {
    if (mayPlanAgain(item)) continue;
    const { channel, fromMs, toMs } = item;
    const known = channels.get(channel);
    if (known === undefined) channels.set(channel, [{ fromMs, toMs }]);
    else known.push({ fromMs, toMs });
  }
  return channels;
}

/**
 * A device may leave a rule's reach for minutes: items that were canceled because of this are wanted again once the device is back. If a
 * member cancels an own request, or an event's, this doesn't affect what rules fetch; canceling an item of a rule does.
 */
function mayPlanAgain({ state, fault, rule }: TakenSpan): boolean {
  return state === 'canceled' && (rule === undefined || fault === 'not-allowed');
}

// Selects the next of the due messages: member groups share a sender, and none may hold up the others. Pure.
import type { PlannedMessage, StoredMessage } from '../../store/notify/plannedMessage.ts';

/** The state of a member group at the sender. */
export interface GroupTurn {
  /** Number of its messages that hold a place of the sender. */
  readonly underWay: number;
  /** Number of the group's last message in the sender's sending order; 0: none yet. */
  readonly lastTurn: number;
}

/** 0: reports an emergency at once; 1: any other event; 2: a digest. The outbox sorts by the same numbers. */
export function urgencyOf({ severity, digestKey }: Pick<PlannedMessage, 'severity' | 'digestKey'>): 0 | 1 | 2 {
  if (digestKey !== '') return 2;
  return severity === 'critical' ? 0 : 1;
}

/**
 * The next message is of the group with the fewest messages under way, and of these the one that has waited longest for its turn: if
 * urgency decided, a group could keep all others waiting. Within a group emergencies come first, and digests last.
 */
export function nextMessage(
  due: readonly StoredMessage[],
  turnOf: (memberGroup: number) => GroupTurn,
): StoredMessage | undefined {
  let best: { readonly message: StoredMessage; readonly order: readonly number[] } | undefined;
  for (const message of due) {
    const { underWay, lastTurn } = turnOf(message.memberGroup);
    const order = [underWay, lastTurn, urgencyOf(message), message.dueAtMs, message.id];
    if (best === undefined || comesBefore(order, best.order)) best = { message, order };
  }
  return best?.message;
}

function comesBefore(left: readonly number[], right: readonly number[]): boolean {
  const at = left.findIndex((value, index) => value !== right[index]);
  return at >= 0 && (left[at] ?? 0) < (right[at] ?? 0);
}

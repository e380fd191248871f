import { describe, expect, it } from 'vitest';
import { nextMessage, urgencyOf } from '../../../../../server/notify/delivery/fairOrder.ts';
import { SenderTurns } from '../../../../../server/notify/delivery/senderTurns.ts';
import type { StoredMessage } from '../../../../../server/store/notify/plannedMessage.ts';
import { storedMessage } from '../../../../support/notify/notifyMessages.ts';

const FRESH = { underWay: 0, lastTurn: 0 };
const DIGEST = { digestKey: 'of rule 1' } as const;
const EMERGENCY = { severity: 'critical' } as const;

const message = (id: number, memberGroup: number, change: Partial<StoredMessage> = {}) =>
  storedMessage({ id, memberGroup, dueAtMs: id, ...change });

describe('the message that goes next', () => {
  it('is of the member group with the fewest under way', () => {
    const due = [message(1, 1), message(2, 1), message(3, 2, DIGEST)];
    const turnOf = (group: number) => ({ underWay: group === 1 ? 2 : 1, lastTurn: group === 1 ? 1 : 9 });
    expect(nextMessage(due, turnOf)?.id).toBe(3);
  });

  it('is of the member group that has waited longest for its turn, where they have as many under way', () => {
    const due = [message(1, 1), message(2, 2)];
    expect(nextMessage(due, (group) => ({ underWay: 0, lastTurn: group === 1 ? 2 : 1 }))?.id).toBe(2);
  });

  it('tells of an emergency before anything else, and of a digest after it', () => {
    const due = [message(1, 1, DIGEST), message(2, 1), message(3, 1, EMERGENCY), message(4, 2, EMERGENCY)];
    expect(due.map(urgencyOf)).toEqual([2, 1, 0, 0]);
    expect(urgencyOf(message(5, 1, { ...DIGEST, ...EMERGENCY }))).toBe(2);
    expect(nextMessage(due, () => FRESH)?.id).toBe(3);
    expect(nextMessage(due.slice(0, 2), () => FRESH)?.id).toBe(2);
  });

  it('is the one that has waited longest among equals; there is none where nothing is due', () => {
    const due = [message(2, 1, { dueAtMs: 5 }), message(9, 2, { dueAtMs: 4 }), message(1, 3, { dueAtMs: 5 })];
    expect(nextMessage(due, () => FRESH)?.id).toBe(9);
    expect(nextMessage([], () => FRESH)).toBeUndefined();
  });

  it('lets each of several groups have its turn, however many of one are due and however urgent', () => {
    const turns = new SenderTurns();
    let due = [
      ...Array.from({ length: 20 }, (_, at) => message(at + 1, 1, EMERGENCY)),
      message(30, 2, DIGEST),
      message(31, 3),
    ];
    const begun: number[] = [];
    while (begun.length < 5) {
      const next = nextMessage(due, (group) => turns.turnOf(group));
      if (next === undefined) break;
      due = due.filter((each) => each !== next);
      turns.begin(next);
      // Nothing is under way when the next message is chosen, as with a sender that sends one a minute.
      turns.end(next.id);
      begun.push(next.id);
    }
    expect(begun).toEqual([1, 31, 30, 2, 3]);
  });
});

describe('places of a sender', () => {
  it('are four, and one whose answer is slow leaves its own to others', () => {
    const turns = new SenderTurns();
    for (const id of [1, 2, 3, 4]) turns.begin(message(id, 7));
    expect([turns.hasPlace, turns.turnOf(7).underWay]).toEqual([false, 4]);
    expect(turns.leavePlace(2)).toBe(true);
    expect(turns.leavePlace(2)).toBe(false);
    expect([turns.hasPlace, turns.turnOf(7).underWay, turns.ids.has(2)]).toEqual([true, 3, true]);
    turns.end(2);
    expect(turns.ids.has(2)).toBe(false);
  });

  it('are kept where many answers are slow already', () => {
    const turns = new SenderTurns();
    for (let id = 1; id <= 20; id++) {
      turns.begin(message(id, 7));
      expect(turns.leavePlace(id)).toBe(true);
    }
    turns.begin(message(21, 7));
    expect(turns.leavePlace(21)).toBe(false);
    turns.end(1);
    expect(turns.leavePlace(21)).toBe(true);
  });
});

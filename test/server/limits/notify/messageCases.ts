// How the limits of the log of notifications are reached.
import { expect } from 'vitest';
import { MESSAGE_REMOVAL_LIMIT, MessageRetention } from '../../../../server/notify/messageRetention.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { turnUntil } from '../../../support/waitFor.ts';
import type { LimitCase } from '../describeLimits.ts';
import { failNever } from '../terminals/terminalScene.ts';

const removalCase: LimitCase = {
  limit: MESSAGE_REMOVAL_LIMIT,
  open: (onLimit) => {
    const { max } = MESSAGE_REMOVAL_LIMIT;
    const remove = async (count: number): Promise<readonly number[]> => {
      const timers = new ManualTimers();
      const parts: number[] = [];
      let left = count;
      const retention = new MessageRetention({
        removal: {
          removeOlder: async (_before, limit) => {
            const part = Math.min(left, limit);
            left -= part;
            parts.push(part);
            return part;
          },
        },
        now: () => 1_795_000_000_000,
        runAfter: timers.runAfter,
        onFault: failNever,
        onLimit,
      });
      await turnUntil('all parts', () => {
        timers.advance(1_000);
        return parts.length > 0 && left === 0 && (parts.at(-1) ?? 0) < max;
      });
      await retention.close();
      return parts;
    };
    return {
      upTo: async () => expect(await remove(max - 1)).toEqual([max - 1]),
      beyond: async () => expect(await remove(max + 1)).toEqual([max, 1]),
    };
  },
};

export const messageCases: readonly LimitCase[] = [removalCase];

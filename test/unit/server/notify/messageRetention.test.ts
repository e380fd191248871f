import { expect, it } from 'vitest';
import { KEPT_DAYS, MESSAGE_REMOVAL_LIMIT, MessageRetention } from '../../../../server/notify/messageRetention.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';

const NOW_MS = 1_795_000_000_000;

it('deletes what is older than 90 days each hour, and stops between two parts when the gateway ends', async () => {
  const timers = new ManualTimers();
  const asked: number[] = [];
  let limits = 0;
  const retention = new MessageRetention({
    removal: {
      removeOlder: async (beforeMs, limit) => {
        asked.push(beforeMs);
        return limit;
      },
    },
    now: () => NOW_MS,
    runAfter: timers.runAfter,
    onFault: noFaults,
    onLimit: () => limits++,
  });
  timers.advance(10_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(KEPT_DAYS).toBe(90);
  expect(asked).toEqual([NOW_MS - 90 * 86_400_000]);
  await retention.close();
  timers.advance(60_000);
  expect(asked).toHaveLength(1);
  expect(limits).toBe(1);
  expect(MESSAGE_REMOVAL_LIMIT.max).toBe(1_000);
});

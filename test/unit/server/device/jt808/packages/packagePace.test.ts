import { expect, it } from 'vitest';
import { PackagePace } from '../../../../../../server/device/jt808/packages/packagePace.ts';
import { ManualTimers } from '../../../../../support/fakes/manualTimers.ts';

/** Sends as much as it may, whenever it may. */
function greedy(pace: PackagePace) {
  const sender = { sent: 0, cancel: (): void => undefined };
  const run = (): void => {
    for (;;) {
      const cancel = pace.take(run);
      if (cancel !== undefined) {
        sender.cancel = cancel;
        return;
      }
      sender.sent++;
    }
  };
  run();
  return sender;
}

it('lets as many packages out in a turn, whoever sends them, and the next ones after it', () => {
  const timers = new ManualTimers();
  const pace = new PackagePace(timers.runAfter);
  const first = greedy(pace);
  const second = greedy(pace);
  expect([first.sent, second.sent]).toEqual([8, 0]);
  timers.advance(2);
  timers.advance(2);
  expect(first.sent + second.sent).toBe(24);
  expect(second.sent).toBeGreaterThan(0);
  first.cancel();
  second.cancel();
  timers.advance(2);
  expect([first.sent + second.sent, timers.pending]).toEqual([24, 0]);
  expect(pace.take(() => undefined)).toBeUndefined();
});

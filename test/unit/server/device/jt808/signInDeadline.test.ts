import { expect, it } from 'vitest';
import { SignInDeadline } from '../../../../../server/device/jt808/signInDeadline.ts';

it('counts a moment in which the gateway did not get to anything as one second', () => {
  // Each timer runs twenty seconds late, as on a gateway that is busy with others.
  const timers: (() => void)[] = [];
  let nowMs = 0;
  let expiredAtMs: number | undefined;
  const runAfter = (_delayMs: number, run: () => void) => {
    timers.push(run);
    return () => undefined;
  };
  new SignInDeadline(runAfter, () => {
    expiredAtMs = nowMs;
  });
  for (let run = timers.shift(); run !== undefined; run = timers.shift()) {
    nowMs += 21_000;
    run();
  }
  expect(expiredAtMs).toBe(60 * 21_000);
});

import { describe, expect, test } from 'vitest';
import type { ApiResult } from '../../../../shared/api/client.ts';
import { SIGNED_OUT } from '../../../../shared/api/parsers.ts';
import type { UserStatus } from '../../../../shared/protocol/api.ts';
import { RECHECK_MS, retryDelayMs, watchSession } from '../../../../shared/ui/sessionWatch.ts';

const user: UserStatus = { ...SIGNED_OUT, login: true, username: 'mei' };
const failure: ApiResult<UserStatus> = { ok: false, kind: 'network', message: 'Failed to fetch' };

/** A session watch whose answers and time the test gives. */
function setUp() {
  const requests: {
    readonly signal: AbortSignal;
    readonly answer: (result: ApiResult<UserStatus>) => Promise<void>;
  }[] = [];
  const timers: { readonly ms: number; readonly run: () => void; cancelled: boolean }[] = [];
  const watch = watchSession({
    getStatus: (signal) =>
      new Promise((resolve) => {
        requests.push({
          signal,
          answer: async (result) => {
            resolve(result);
            await Promise.resolve(); // the watch takes the result in after this
          },
        });
      }),
    runAfter: (ms, run) => {
      const timer = { ms, run, cancelled: false };
      timers.push(timer);
      return () => {
        timer.cancelled = true;
      };
    },
    random: () => 0.5,
  });
  return { watch, requests, timers };
}

function at<T>(list: readonly T[], index: number): T {
  const found = list.at(index);
  if (found === undefined) throw new Error(`nothing at ${index}`);
  return found;
}

describe('the session (S-4.1, X-2)', () => {
  test('nothing is known until the first answer', () => {
    const { watch, requests } = setUp();
    expect(watch.state()).toEqual({ kind: 'unknown' });
    expect(requests).toHaveLength(1);
  });

  test.each([
    [user, { kind: 'signed-in', status: user }],
    [SIGNED_OUT, { kind: 'signed-out' }],
  ])('an answer decides: login %j', async (value, expected) => {
    const { watch, requests } = setUp();
    await at(requests, 0).answer({ ok: true, value });
    expect(watch.state()).toEqual(expected);
  });

  test('a failed call decides nothing and is made again, later each time', async () => {
    const { watch, requests, timers } = setUp();
    for (const expectedMs of [1_000, 2_000, 4_000, 8_000, 15_000, 15_000]) {
      await at(requests, -1).answer(failure);
      expect(watch.state()).toEqual({ kind: 'unknown' });
      expect(at(timers, -1).ms).toBe(expectedMs);
      at(timers, -1).run();
    }
    expect(requests).toHaveLength(7);
  });

  test('the end of a session that is replaced signs nobody out', async () => {
    const { watch, requests } = setUp();
    await at(requests, 0).answer({ ok: true, value: user });
    void watch.recheck();
    let finish: (text: string) => void = () => undefined;
    const replaced = watch.replace(() => new Promise<string>((resolve) => (finish = resolve)));
    // What was asked before tells of the former session, and what is asked meanwhile has none.
    expect(at(requests, 1).signal.aborted).toBe(true);
    await at(requests, 1).answer({ ok: true, value: SIGNED_OUT });
    await watch.recheck();
    expect(requests).toHaveLength(2);
    expect(watch.state()).toEqual({ kind: 'signed-in', status: user });
    finish('done');
    expect(await replaced).toBe('done');
    expect(requests).toHaveLength(3);
    await at(requests, 2).answer({ ok: true, value: SIGNED_OUT });
    expect(watch.state()).toEqual({ kind: 'signed-out' });
  });

  test('a failure after sign-in signs nobody out', async () => {
    const { watch, requests } = setUp();
    await at(requests, 0).answer({ ok: true, value: user });
    void watch.recheck();
    await at(requests, 1).answer(failure);
    expect(watch.state()).toEqual({ kind: 'signed-in', status: user });
  });

  test('a success brings the waits back to their beginning', async () => {
    const { watch, requests, timers } = setUp();
    await at(requests, 0).answer(failure);
    at(timers, -1).run();
    await at(requests, 1).answer({ ok: true, value: user });
    expect(at(timers, -1).ms).toBe(RECHECK_MS);
    void watch.recheck();
    await at(requests, 2).answer(failure);
    expect(at(timers, -1).ms).toBe(1_000);
  });

  test('a session that ends is noticed at the next look', async () => {
    const { watch, requests, timers } = setUp();
    let changes = 0;
    watch.subscribe(() => changes++);
    await at(requests, 0).answer({ ok: true, value: user });
    at(timers, -1).run();
    await at(requests, 1).answer({ ok: true, value: SIGNED_OUT });
    expect(watch.state()).toEqual({ kind: 'signed-out' });
    expect(changes).toBe(2);
  });

  test('a later question makes an earlier answer void', async () => {
    const { watch, requests } = setUp();
    void watch.recheck();
    expect(at(requests, 0).signal.aborted).toBe(true);
    await at(requests, 0).answer({ ok: true, value: SIGNED_OUT });
    expect(watch.state()).toEqual({ kind: 'unknown' });
    await at(requests, 1).answer({ ok: true, value: user });
    expect(watch.state().kind).toBe('signed-in');
  });

  test('a closed watch asks no more', async () => {
    const { watch, requests, timers } = setUp();
    await at(requests, 0).answer({ ok: true, value: user });
    watch.close();
    expect(at(timers, -1).cancelled).toBe(true);
  });
});

describe('the wait after a failure', () => {
  test.each([
    [1, 0, 750],
    [1, 1, 1_250],
    [3, 0.5, 4_000],
    [50, 1, 18_750],
  ])('after %i failures with a die of %f it is %i ms', (failures, random, expected) => {
    expect(retryDelayMs(failures, random)).toBe(expected);
  });
});

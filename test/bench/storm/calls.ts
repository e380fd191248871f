// A dispatcher's page that asks for the dashboard's figures again and again.
import { setTimeout as delay } from 'node:timers/promises';
import { PASSWORD } from '../../support/gateway/site.ts';

/** An open dashboard asks less often; several are open. */
const EVERY_MS = 500;

export interface CallTimes {
  readonly tookMs: readonly number[];
  readonly failed: number;
}

export interface Calls {
  /** What was measured since the start or the last call of this function. */
  take(): CallTimes;
  /** Resolves with the rest once no call is under way. */
  stop(): Promise<CallTimes>;
}

export async function callFigures(address: string, username: string): Promise<Calls> {
  const cookie = await signIn(address, username);
  let tookMs: number[] = [];
  let failed = 0;
  let isOn = true;
  const call = async (): Promise<void> => {
    const startedMs = performance.now();
    const response = await fetch(`${address}/api/dashboard/figures`, { headers: { cookie, origin: address } });
    await response.arrayBuffer();
    if (response.ok) tookMs.push(performance.now() - startedMs);
    else failed++;
  };
  const run = async (): Promise<void> => {
    while (isOn) await Promise.all([call(), delay(EVERY_MS)]);
  };
  const running = run();
  const take = (): CallTimes => {
    const taken = { tookMs, failed };
    tookMs = [];
    failed = 0;
    return taken;
  };
  return {
    take,
    stop: async () => {
      isOn = false;
      await running;
      return take();
    },
  };
}

async function signIn(address: string, username: string): Promise<string> {
  const response = await fetch(`${address}/api/user/login`, {
    method: 'POST',
    headers: { origin: address, 'content-type': 'application/json' },
    body: JSON.stringify({ username, password: PASSWORD }),
  });
  if (!response.ok) throw new Error(`sign-in of ${username}: ${response.status} ${await response.text()}`);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

import type { ApiResult } from '../../../../shared/api/client.ts';
import type { About } from '../../../../shared/protocol/api/system/about.ts';

export interface TimedAbout {
  readonly about: About;
  /** How far this browser's clock is ahead of the server's. */
  readonly aheadMs: number;
}

/** The server's clock is read last, so the answer was on its way for half of the call at most. */
export async function timedAbout(
  ask: () => Promise<ApiResult<About>>,
  now: () => number,
): Promise<ApiResult<TimedAbout>> {
  const askedAtMs = now();
  const result = await ask();
  if (!result.ok) return result;
  const answeredAtMs = now();
  const betweenMs = (askedAtMs + answeredAtMs) / 2;
  return { ok: true, value: { about: result.value, aheadMs: Math.round(betweenMs - result.value.nowMs) } };
}

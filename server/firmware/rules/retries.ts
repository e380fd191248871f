// Whether a delivery that failed is tried again, and when. Pure.
import type { FirmwareFault } from '../../../shared/protocol/firmware/firmwareWords.ts';

const MAX_ATTEMPTS = 3;
const MINUTE_MS = 60_000;
/** After each attempt; vehicles leave tunnels within minutes and garages within the hour. */
const WAITS_MS: readonly number[] = [2 * MINUTE_MS, 15 * MINUTE_MS];

export type AfterFailure =
  | { readonly kind: 'retry'; readonly atMs: number }
  | { readonly kind: 'end'; readonly state: 'failed' | 'refused' };

/** `attempts`: those that were made, this one included. `isPassing`: the cause can pass. */
export function afterFailure(
  {
    fault,
    isPassing,
    attempts,
  }: { readonly fault: FirmwareFault; readonly isPassing: boolean; readonly attempts: number },
  nowMs: number,
): AfterFailure {
  const waitMs = WAITS_MS[attempts - 1];
  if (isPassing && attempts < MAX_ATTEMPTS && waitMs !== undefined) return { kind: 'retry', atMs: nowMs + waitMs };
  return { kind: 'end', state: fault === 'refused' || fault === 'not-supported' ? 'refused' : 'failed' };
}

import { SIGN_OF_LIFE_MS } from '../../../shared/protocol/api/system/about.ts';
import type { GatewayStore } from '../../store/system/gateways.ts';

/** Two signs of life may be late. */
const ENDED_MS = 3 * SIGN_OF_LIFE_MS;

/** How far the clock of another host may be ahead. If it is more, the row was left by a clock that has been corrected since. */
const AHEAD_MS = 3_600_000;

/** Hosts of gateways that work on the database, or were killed a moment ago. */
export async function liveGateways(
  gateways: Pick<GatewayStore, 'list'>,
  { nowMs, except }: { readonly nowMs: number; readonly except?: string | undefined },
): Promise<readonly string[]> {
  const all = await gateways.list();
  const isAlive = (seenAtMs: number): boolean => nowMs - seenAtMs < ENDED_MS && seenAtMs - nowMs < AHEAD_MS;
  return all.filter(({ id, seenAtMs }) => id !== except && isAlive(seenAtMs)).map(({ host }) => host);
}

import { SIGN_OF_LIFE_MS } from '../../../shared/protocol/api/system/about.ts';
import type { GatewayStore } from '../../store/system/gateways.ts';

/** Two signs of life may be late. */
const ENDED_MS = 3 * SIGN_OF_LIFE_MS;

/** Hosts of gateways that work on the database, or were killed a moment ago. */
export async function liveGateways(
  gateways: Pick<GatewayStore, 'list'>,
  { nowMs, except }: { readonly nowMs: number; readonly except?: string | undefined },
): Promise<readonly string[]> {
  const all = await gateways.list();
  return all.filter(({ id, seenAtMs }) => id !== except && nowMs - seenAtMs < ENDED_MS).map(({ host }) => host);
}

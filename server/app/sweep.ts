// Deletes expired records, and bounds those that callers who aren't signed in can create.
import type { WallMs } from '../../shared/protocol/time.ts';
import type { OnFault } from '../faults/onFault.ts';
import { runEvery } from '../faults/timers.ts';
import type { Limit, OnLimit } from '../limits/limit.ts';
import type { Stores } from '../store/stores.ts';

/** Only frees space: ended sessions and links are refused whether their rows are there or not. */
const SWEEP_EVERY_MS = 10 * 60 * 1000;
/**
 * Audit entries of refused sign-ins, passwords and codes, of automatic commands and of commands that were not completed, of each kind.
 * Anyone can cause these entries, as fast as password guessing is allowed and as often as a terminal raises alarms, so they must not fill
 * the disk. The oldest are deleted.
 */
export const REFUSALS_LIMIT: Limit = { name: 'audit.refusals.kind', max: 100_000 };
const REFUSALS = [
  'session.refused',
  'password.refused',
  'secondfactor.refused',
  'terminal.mismatch',
  'terminal.elsewhere',
  'terminal.moved',
  'device.autocommand',
  'device.commandfailed',
] as const;
/** What was sent to a terminal is listed for this long after it ended. */
const ORDERS_KEPT_MS = 90 * 24 * 60 * 60 * 1000;

type Swept = Pick<Stores, 'sessions' | 'signInSteps' | 'invitations' | 'knownBrowsers' | 'deviceOrders' | 'audit'>;

export interface SweepDeps {
  readonly stores: Swept;
  readonly now: () => WallMs;
  readonly onFault: OnFault;
  readonly onLimit: OnLimit;
}

export function startSweep({ stores, now, onFault, onLimit }: SweepDeps): () => void {
  return runEvery(SWEEP_EVERY_MS, () => sweep(stores, now(), onLimit), onFault);
}

export async function sweep(stores: Swept, at: WallMs, onLimit: OnLimit): Promise<void> {
  const { sessions, signInSteps, invitations, knownBrowsers, deviceOrders, audit } = stores;
  await sessions.removeEnded(at);
  await signInSteps.removeEnded(at);
  await invitations.removeEnded(at);
  await knownBrowsers.removeEnded(at);
  await deviceOrders.removeFinished(at - ORDERS_KEPT_MS);
  await deviceOrders.removeOfEndedDevices();
  for (const action of REFUSALS) {
    if ((await audit.keepNewest(action, REFUSALS_LIMIT.max)) > 0) onLimit(REFUSALS_LIMIT);
  }
}

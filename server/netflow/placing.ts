// Brings devices that are new, moved, disabled or deleted into the sums of data usage by device group, a few at a time.
import { Rounds, type RoundsOptions } from '../faults/rounds.ts';
import type { NetflowUseStore } from '../store/netflow/netflowUse.ts';

export interface NetflowPlacingDeps extends Pick<RoundsOptions, 'runAfter' | 'onFault'> {
  readonly store: Pick<NetflowUseStore, 'placeSome'>;
}

const INTERVAL_MS = 60_000;
const FIRST_DELAY_MS = 30_000;
/** Between two parts: other statements come first. */
const PAUSE_MS = 100;

export function startNetflowPlacing({ store, ...timing }: NetflowPlacingDeps): Rounds {
  const rounds: Rounds = new Rounds({
    ...timing,
    work: async () => {
      while (!rounds.isClosed && (await store.placeSome())) await rounds.pause(PAUSE_MS);
    },
    failure: 'data usage could not be added up by device group',
    intervalMs: INTERVAL_MS,
    delayMs: FIRST_DELAY_MS,
  });
  return rounds;
}

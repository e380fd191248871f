// The gateways of one database tell each other, and whoever looks at the page Version, that they run.
import { GATEWAYS_KEPT_MS, SIGN_OF_LIFE_MS } from '../../../shared/protocol/api/system/about.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import { Rounds, type RoundsOptions } from '../../faults/rounds.ts';
import type { GatewaySeen, GatewayStore } from '../../store/system/gateways.ts';

export interface SignsOfLifeDeps extends Pick<RoundsOptions, 'runAfter' | 'onFault'> {
  readonly store: Pick<GatewayStore, 'seen' | 'ended' | 'removeOld'>;
  readonly gateway: Omit<GatewaySeen, 'seenAtMs'>;
  readonly now: () => WallMs;
}

export interface SignsOfLife {
  /** The gateway ends in order: it is listed no longer. One that was killed is, for a day. */
  close(): Promise<void>;
}

export async function startSignsOfLife({ store, gateway, now, ...timing }: SignsOfLifeDeps): Promise<SignsOfLife> {
  const give = async (): Promise<void> => {
    await store.seen({ ...gateway, seenAtMs: now() });
    await store.removeOld(now() - GATEWAYS_KEPT_MS);
  };
  await give();
  const rounds = new Rounds({
    ...timing,
    work: give,
    failure: 'the sign of life of this gateway could not be written',
    intervalMs: SIGN_OF_LIFE_MS,
    delayMs: SIGN_OF_LIFE_MS,
  });
  return {
    close: async () => {
      await rounds.close();
      await store.ended(gateway.id);
    },
  };
}

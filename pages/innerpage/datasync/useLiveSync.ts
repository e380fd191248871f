import { useEffect, useEffectEvent } from 'react';
import { listenForSync } from '../../../shared/live/liveReloads.ts';

/** Asks again whenever what is fetched has come on. */
export function useLiveSync(reload: () => void): void {
  const ask = useEffectEvent(reload);
  useEffect(() => listenForSync(() => ask()), []);
}

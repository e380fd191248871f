import { useEffect, useEffectEvent } from 'react';
import { listenForNetflow } from '../../../shared/live/liveReloads.ts';

/** Asks again each minute in which devices used data. */
export function useLiveNetflow(reload: () => void): void {
  const ask = useEffectEvent(reload);
  useEffect(() => listenForNetflow(() => ask()), []);
}

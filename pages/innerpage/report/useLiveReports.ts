import { useEffect, useEffectEvent } from 'react';
import { listenForReports } from '../../../shared/live/liveReloads.ts';

/** Asks again whenever a report of the member group has come on. */
export function useLiveReports(reload: () => void): void {
  const ask = useEffectEvent(reload);
  useEffect(() => listenForReports(() => ask()), []);
}

import { useEffect, useEffectEvent } from 'react';
import { listenForFirmware } from '../../../shared/live/liveReloads.ts';

/** Asks again whenever a firmware task of the member group has come on. */
export function useLiveFirmware(reload: () => void): void {
  const ask = useEffectEvent(reload);
  useEffect(() => listenForFirmware(() => ask()), []);
}

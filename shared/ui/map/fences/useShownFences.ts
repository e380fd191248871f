import { useEffect, useEffectEvent } from 'react';
import { getShownFences } from '../../../api/fences.ts';
import { listenForFences } from '../../../live/liveReloads.ts';
import type { ShownFence } from '../../../protocol/api/fences/fences.ts';
import { useRecord } from '../../records/useRecord.ts';

const NO_FENCES: readonly ShownFence[] = [];

/** The active fences of the member group, for a map; kept up to date. */
export function useShownFences(): readonly ShownFence[] {
  const { value = NO_FENCES, reload } = useRecord({ key: ['shown-fences'], load: getShownFences });
  const ask = useEffectEvent(reload);
  useEffect(() => listenForFences(() => ask()), []);
  return value;
}

/**
 * For a page whose maps come and go: it listens all the time, because each new listener is sent a snapshot, of which the gateway
 * sends only a limited number a minute.
 */
export function useFencesAtHand(): void {
  useEffect(() => listenForFences(() => undefined), []);
}

import { useEffect, useEffectEvent } from 'react';
import { listenForNotifications } from '../../../../shared/live/liveNotifications.ts';

/** Asks again whenever a message is new or another: it may belong to another page of the list, and counts. */
export function useLiveLog(reload: () => void): void {
  const ask = useEffectEvent(reload);
  useEffect(() => listenForNotifications({ onMessages: () => ask(), onReload: () => ask() }), []);
}

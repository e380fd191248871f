import { useEffect, useEffectEvent } from 'react';
import { listenForNotifications } from '../../../../shared/live/liveNotifications.ts';

/** Asks again whenever a message is new or another: it may belong to another page of the list, and counts. */
export function useLiveLog(reload: () => void): void {
  useLiveMessages(() => true, reload);
}

/** Asks again whenever this message is another. */
export function useLiveMessage(message: number, reload: () => void): void {
  useLiveMessages((changed) => changed === message, reload);
}

function useLiveMessages(isWanted: (message: number) => boolean, reload: () => void): void {
  const ask = useEffectEvent(reload);
  const isAsked = useEffectEvent(isWanted);
  useEffect(
    () =>
      listenForNotifications({
        onMessages: (messages) => {
          if (messages.some(({ id }) => isAsked(id))) ask();
        },
        onReload: () => ask(),
      }),
    [],
  );
}

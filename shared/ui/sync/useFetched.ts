import { useEffect, useEffectEvent } from 'react';
import { listenForSync } from '../../live/liveReloads.ts';
import { useMayFetch } from './useMayFetch.ts';

/** Rules fetch from many devices around the clock, and each step is reported. */
const APART_MS = 10_000;

/** Asks again after recordings may have been fetched, for members to whom that is reported. */
export function useFetched(reload: () => void): void {
  const mayFetch = useMayFetch();
  const ask = useEffectEvent(reload);
  useEffect(() => {
    if (!mayFetch) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = listenForSync(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        ask();
      }, APART_MS);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [mayFetch]);
}

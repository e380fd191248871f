// How many critical events wait for somebody, as the menu and the tiles show it.
import { createContext, useContext, useEffect, useState } from 'react';
import { listenForEventCounts } from '../../shared/live/pageLive.ts';
import { type MenuPage, pageAtAddress } from '../../shared/protocol/menuPages.ts';
import { Permission } from '../../shared/protocol/permissions.ts';

const TODAY_EVENT = pageAtAddress('/todayevent');

export const CriticalCountContext = createContext(0);

/** The count that the live line reports; 0 for users who may not see events, and until it is known. */
export function useCriticalCount(permissions: readonly string[]): number {
  const [count, setCount] = useState(0);
  const sees = permissions.includes(Permission.Event);
  useEffect(() => {
    if (!sees) return undefined;
    const stop = listenForEventCounts(({ unacknowledged }) => setCount(unacknowledged.critical));
    return () => {
      stop();
      setCount(0);
    };
  }, [sees]);
  return count;
}

/** What is to be shown beside the name of a page; 0 for nothing. */
export function useCountOf(page: MenuPage): number {
  const count = useContext(CriticalCountContext);
  return page === TODAY_EVENT ? count : 0;
}

// Events that are shown over whatever page is open, until somebody has looked at them or closed them.
import { useEffect, useReducer } from 'react';
import { listenForPopUps } from '../../../shared/live/pageLive.ts';
import type { EventPopUp } from '../../../shared/protocol/api/liveUpdates.ts';

/** More would hide the page. */
const POP_UPS_SHOWN = 3;

interface ShownPopUps {
  /** The newest first, at most POP_UPS_SHOWN. */
  readonly shown: readonly EventPopUp[];
  /** Older ones that had no room. */
  readonly more: number;
}

const NO_POP_UPS: ShownPopUps = { shown: [], more: 0 };

type PopUpChange =
  | { readonly kind: 'came'; readonly popUps: readonly EventPopUp[] }
  | { readonly kind: 'closed'; readonly id: number }
  | { readonly kind: 'all-closed' };

/** Pure. */
function nextPopUps({ shown, more }: ShownPopUps, change: PopUpChange): ShownPopUps {
  switch (change.kind) {
    case 'came': {
      const came = new Set(change.popUps.map(({ id }) => id));
      const all = [...change.popUps.toReversed(), ...shown.filter(({ id }) => !came.has(id))];
      return { shown: all.slice(0, POP_UPS_SHOWN), more: more + Math.max(0, all.length - POP_UPS_SHOWN) };
    }
    case 'closed': {
      const left = shown.filter(({ id }) => id !== change.id);
      return left.length === 0 ? NO_POP_UPS : { shown: left, more };
    }
    case 'all-closed':
      return NO_POP_UPS;
  }
}

/** None while they are not wanted: what comes then is never shown. */
export function usePopUps(areWanted: boolean) {
  const [popUps, change] = useReducer(nextPopUps, NO_POP_UPS);
  useEffect(() => {
    if (!areWanted) return undefined;
    const stop = listenForPopUps((came) => change({ kind: 'came', popUps: came }));
    return () => {
      stop();
      change({ kind: 'all-closed' });
    };
  }, [areWanted]);
  return { popUps, change };
}

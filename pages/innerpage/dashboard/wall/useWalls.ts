import { useCallback, useEffect, useState } from 'react';
import { getWalls } from '../../../../shared/api/fleet.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { Wall } from '../../../../shared/protocol/api/fleet.ts';
import { notify } from '../../../../shared/ui/notifications.tsx';

export interface Walls {
  /** Undefined until they are known. */
  readonly walls: readonly Wall[] | undefined;
  readonly reload: () => void;
}

const RETRY_MS = 15_000;
/** A screen that shows a wall for weeks follows what is changed at a desk. */
const RENEW_MS = 60_000;

/** The user's walls; the same object while they stay as they are. A screen that starts before its server waits for it. */
export function useWalls(): Walls {
  const [walls, setWalls] = useState<readonly Wall[]>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    let next: ReturnType<typeof setTimeout> | undefined;
    const isFirst = round === 0;
    void getWalls(abort.signal).then((result) => {
      if (abort.signal.aborted) return;
      next = setTimeout(() => setRound((at) => at + 1), result.ok ? RENEW_MS : RETRY_MS);
      if (result.ok) {
        setWalls((before) => unlessSame(before, result.value));
        return;
      }
      const text = errorText(result);
      if (isFirst && text !== undefined) notify('error', text);
    });
    return () => {
      abort.abort();
      clearTimeout(next);
    };
  }, [round]);
  const reload = useCallback(() => setRound((at) => at + 1), []);
  return { walls, reload };
}

function unlessSame(before: readonly Wall[] | undefined, walls: readonly Wall[]): readonly Wall[] {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(walls) ? before : walls;
}

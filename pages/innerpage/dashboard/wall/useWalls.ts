import { useCallback, useEffect, useState } from 'react';
import { getWalls } from '../../../../shared/api/dashboard.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { Wall } from '../../../../shared/protocol/api/dashboard.ts';
import { notify } from '../../../../shared/ui/notifications.tsx';

export interface Walls {
  /** Undefined until they are known. */
  readonly walls: readonly Wall[] | undefined;
  readonly reload: () => void;
}

const RETRY_MS = 15_000;

/** The user's walls. A screen that starts before its server asks again until it answers. */
export function useWalls(): Walls {
  const [walls, setWalls] = useState<readonly Wall[]>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    let retry: ReturnType<typeof setTimeout> | undefined;
    const isFirst = round === 0;
    void getWalls(abort.signal).then((result) => {
      if (abort.signal.aborted) return;
      if (result.ok) {
        setWalls(result.value);
        return;
      }
      const text = errorText(result);
      if (isFirst && text !== undefined) notify('error', text);
      retry = setTimeout(() => setRound((at) => at + 1), RETRY_MS);
    });
    return () => {
      abort.abort();
      clearTimeout(retry);
    };
  }, [round]);
  const reload = useCallback(() => setRound((at) => at + 1), []);
  return { walls, reload };
}

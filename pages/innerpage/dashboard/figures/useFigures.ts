// The figures that the gateway works out, asked for again from time to time while the page is seen.
import { useCallback, useEffect, useState } from 'react';
import type { ApiFailure, ApiResult } from '../../../../shared/api/client.ts';
import { getFigures, getSystemFigures } from '../../../../shared/api/fleet.ts';
import type { DashboardFigures, SystemFigures } from '../../../../shared/protocol/api/fleet.ts';

const FIGURES_EVERY_MS = 60_000;
const SYSTEM_EVERY_MS = 10_000;

export interface Polled<T> {
  /** The last answer; undefined until there was one. */
  readonly value: T | undefined;
  /** Why the last call gave none. */
  readonly failure: ApiFailure | undefined;
  /** Asks at once. */
  readonly retry: () => void;
}

export function useFigures(): Polled<DashboardFigures> {
  return usePolled(getFigures, FIGURES_EVERY_MS);
}

export function useSystemFigures(): Polled<SystemFigures> {
  return usePolled(getSystemFigures, SYSTEM_EVERY_MS);
}

/** `get` must be the same from one rendering to the next. */
function usePolled<T>(get: (signal: AbortSignal) => Promise<ApiResult<T>>, everyMs: number): Polled<T> {
  const [value, setValue] = useState<T>();
  const [failure, setFailure] = useState<ApiFailure>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    void round;
    const abort = new AbortController();
    const ask = async (): Promise<void> => {
      if (document.visibilityState === 'hidden') return;
      const result = await get(abort.signal);
      if (abort.signal.aborted) return;
      if (result.ok) setValue(result.value);
      setFailure(result.ok ? undefined : result);
    };
    void ask();
    const timer = setInterval(() => void ask(), everyMs);
    const onVisible = () => void ask();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      abort.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [get, everyMs, round]);
  const retry = useCallback(() => setRound((at) => at + 1), []);
  return { value, failure, retry };
}

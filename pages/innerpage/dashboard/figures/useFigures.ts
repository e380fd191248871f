// The figures that the gateway works out, asked for again from time to time while the page is seen.
import { useEffect, useState } from 'react';
import type { ApiResult } from '../../../../shared/api/client.ts';
import { getFigures, getSystemFigures } from '../../../../shared/api/dashboard.ts';
import type { DashboardFigures, SystemFigures } from '../../../../shared/protocol/api/dashboard.ts';

const FIGURES_EVERY_MS = 60_000;
const SYSTEM_EVERY_MS = 10_000;

export function useFigures(): DashboardFigures | undefined {
  return usePolled(getFigures, FIGURES_EVERY_MS);
}

export function useSystemFigures(): SystemFigures | undefined {
  return usePolled(getSystemFigures, SYSTEM_EVERY_MS);
}

/** The last answer; a call that fails leaves it standing. `get` must be the same from one rendering to the next. */
function usePolled<T>(get: (signal: AbortSignal) => Promise<ApiResult<T>>, everyMs: number): T | undefined {
  const [value, setValue] = useState<T>();
  useEffect(() => {
    const abort = new AbortController();
    const ask = async (): Promise<void> => {
      if (document.visibilityState === 'hidden') return;
      const result = await get(abort.signal);
      if (result.ok && !abort.signal.aborted) setValue(result.value);
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
  }, [get, everyMs]);
  return value;
}

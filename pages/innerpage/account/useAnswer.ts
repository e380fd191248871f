import { useCallback, useEffect, useState } from 'react';
import type { ApiFailure, ApiResult } from '../../../shared/api/client.ts';

/** One call's answer, asked for at once and again on demand. `load` must stay the same function. */
export function useAnswer<Value>(load: (signal: AbortSignal) => Promise<ApiResult<Value>>) {
  const [value, setValue] = useState<Value>();
  const [failure, setFailure] = useState<ApiFailure>();
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    const abort = new AbortController();
    void load(abort.signal).then((result) => {
      if (abort.signal.aborted) return;
      setFailure(result.ok ? undefined : result);
      if (result.ok) setValue(result.value);
    });
    return () => abort.abort();
  }, [load, round]);
  return { value, failure, reload: useCallback(() => setRound((count) => count + 1), []) };
}

// What is known of a question to the gateway, for useRecord and useList.
import { hashKey, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { ApiFailure, ApiResult } from '../../api/client.ts';
import type { RecordKind } from '../../protocol/api/liveUpdates.ts';
import { askAgain, type Loaded, LoadFailed, loadedBy } from './queryClient.ts';
import { useLiveReloads } from './RecordsProvider.tsx';

export interface AskOptions<Value> {
  /** Names what is asked for, with everything that `load` depends on. */
  readonly key: readonly unknown[];
  readonly load: (signal: AbortSignal) => Promise<ApiResult<Value>>;
  /** Kinds of records whose edit asks again. */
  readonly changedBy?: readonly RecordKind[] | undefined;
  /** Asks again so often while the page is in view, and whenever it comes into view. */
  readonly everyMs?: number | undefined;
  /** Instead of `everyMs` after a failure. */
  readonly retryMs?: number | undefined;
}

export interface Answer<Value> {
  /** Kept while it is asked again, and when that fails. */
  readonly value: Value | undefined;
  /** Why the last call gave none; kept until the next answer. */
  readonly failure: ApiFailure | undefined;
  /** Something is on its way that will be seen: not a reload in the background, so that nothing flickers while others edit. */
  readonly isLoading: boolean;
  /** Whether the value answers what is asked now; else it is that of the question before. */
  readonly isKnown: boolean;
  /** Asks at once; the same function while the key is. */
  readonly reload: () => void;
}

/** `keepsValues`: the value of one key is shown until that of the next is there. */
export function useAnswer<Value>(options: AskOptions<Value>, keepsValues: boolean): Answer<Value> {
  const { key, load, changedBy, everyMs, retryMs } = options;
  const query = useQuery<Loaded<Value>>({
    queryKey: key,
    queryFn: ({ signal }) => loadedBy(load(signal)),
    meta: { changedBy },
    refetchInterval: ({ state }) => (state.status === 'error' ? (retryMs ?? everyMs) : everyMs) ?? false,
    refetchOnWindowFocus: everyMs === undefined ? false : 'always',
  });
  useReloadOnChange(changedBy !== undefined && changedBy.length > 0);
  const hash = hashKey(key);
  const shown = useLastSettled(query, hash, keepsValues);
  const isKnown = query.data !== undefined;
  return {
    value: shown.value,
    failure: shown.failure,
    isLoading: query.isFetching && (!isKnown || shown.failure !== undefined),
    isKnown,
    reload: useReload(hash),
  };
}

function useReloadOnChange(isWanted: boolean): void {
  const reloads = useLiveReloads();
  useEffect(() => (isWanted ? reloads.use() : undefined), [reloads, isWanted]);
}

function useReload(hash: string): () => void {
  const client = useQueryClient();
  return useCallback(() => {
    const query = client.getQueryCache().get(hash);
    if (query !== undefined) askAgain(query);
  }, [client, hash]);
}

interface Settled<Value> {
  readonly hash: string;
  readonly value: Value | undefined;
  readonly failure: ApiFailure | undefined;
}

/** The last outcome, while the next is on its way: react-query forgets a failure and another key's value by then. */
function useLastSettled<Value>(
  query: UseQueryResult<Loaded<Value>>,
  hash: string,
  keepsValues: boolean,
): Settled<Value> {
  const [last, setLast] = useState<Settled<Value>>({ hash, value: undefined, failure: undefined });
  const before = keepsValues || last.hash === hash ? last : { hash, value: undefined, failure: undefined };
  const now = settledNow(query, hash, before);
  if (now.value !== last.value || now.failure !== last.failure || now.hash !== last.hash) setLast(now);
  return now;
}

function settledNow<Value>(
  { status, data, error }: UseQueryResult<Loaded<Value>>,
  hash: string,
  before: Settled<Value>,
): Settled<Value> {
  switch (status) {
    case 'pending':
      return { ...before, hash };
    case 'success':
      return { hash, value: data.value, failure: undefined };
    case 'error':
      return {
        hash,
        value: data === undefined ? before.value : data.value,
        failure: error instanceof LoadFailed ? error.failure : undefined,
      };
  }
}

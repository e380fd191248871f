// How a page asks for records: by react-query, which shares answers, aborts what nobody waits for and polls.
// Nothing is kept for later: a dialog that opens again shows the record as it is now. Forms don't use it, because what is typed must not
// change when a record is reloaded.
import { type Query, QueryClient } from '@tanstack/react-query';
import type { ApiFailure, ApiResult } from '../../api/client.ts';
import type { RecordKind } from '../../protocol/api/liveUpdates.ts';

declare module '@tanstack/react-query' {
  interface Register {
    readonly queryMeta: {
      /** Kinds of records whose edit makes the answer out of date. */
      readonly changedBy?: readonly RecordKind[] | undefined;
    };
  }
}

/** Carries an expected failure through react-query, which knows failures only as exceptions; pages see the value in it. */
export class LoadFailed extends Error {
  readonly failure: ApiFailure;

  constructor(failure: ApiFailure) {
    super(failure.kind === 'aborted' ? failure.kind : failure.message);
    this.failure = failure;
  }
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A page says what failed and asks again when it is told to; polls and live topics ask by themselves.
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // A gateway on the same network answers a browser that takes itself for offline.
        networkMode: 'always',
        // A dialog or a tab that opens again shows the records as they are now, not as they were.
        gcTime: 0,
        // What is no expected failure is a bug, and belongs to the error boundary.
        throwOnError: (error) => !(error instanceof LoadFailed),
      },
    },
  });
}

/** A value in a box, since react-query takes no `undefined` for an answer, and any server may give one. */
export interface Loaded<Value> {
  readonly value: Value;
}

/** What a query's function gives: the answer of a successful call. */
export async function loadedBy<Value>(request: Promise<ApiResult<Value>>): Promise<Loaded<Value>> {
  const result = await request;
  if (!result.ok) throw new LoadFailed(result);
  return { value: result.value };
}

/** Asks at once. An answer that is still on its way may be older than the reason to ask, so it is not waited for. */
export function askAgain(query: Query): void {
  void query.cancel({ silent: true });
  // The failure is in the query's state.
  query.fetch().catch(() => undefined);
}

// Reloads what a page shows of records that were edited, by anybody and wherever.
import type { Query, QueryClient } from '@tanstack/react-query';
import { type ChangedKinds, listenForChanges } from '../../live/pageLive.ts';
import { askAgain } from './queryClient.ts';

/** Many edits, one reload. */
const PAUSE_MS = 500;

/** One listener on the page's live line, for all queries of a client; none while no query wants one. */
export class LiveReloads {
  readonly #client: QueryClient;
  #users = 0;
  #stopListening: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Changes since the last reload. */
  #changes: ChangedKinds[] = [];

  constructor(client: QueryClient) {
    this.#client = client;
  }

  /** For a query with `changedBy`, while it is shown. The result ends it. */
  use(): () => void {
    this.#users++;
    this.#stopListening ??= listenForChanges((kinds) => this.#changed(kinds));
    return () => {
      this.#users--;
      if (this.#users === 0) this.#stop();
    };
  }

  #changed(kinds: ChangedKinds): void {
    this.#changes.push(kinds);
    this.#timer ??= setTimeout(() => this.#reload(), PAUSE_MS);
  }

  #reload(): void {
    const changes = this.#changes;
    this.#changes = [];
    this.#timer = undefined;
    for (const query of this.#client.getQueryCache().findAll({ type: 'active' })) {
      if (changes.some((kinds) => concerns(kinds, query))) askAgain(query);
    }
  }

  #stop(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changes = [];
  }
}

function concerns(kinds: ChangedKinds, { meta }: Query): boolean {
  const { changedBy = [] } = meta ?? {};
  return kinds === 'any' ? changedBy.length > 0 : changedBy.some((kind) => kinds.includes(kind));
}

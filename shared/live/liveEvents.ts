// Events as the live updates tell them, for pages that show rows of them.
import { readRecord } from '../api/readRecord.ts';
import { EventRow } from '../protocol/api/events.ts';
import { pageLive } from './pageLive.ts';

export interface EventListener {
  /** Rows that are new or changed: by id they replace what is shown, unless that has a later version. */
  readonly onEvents: (events: readonly EventRow[]) => void;
  /**
   * First, and whenever what is shown may be out of date: after a break, when the session's group changes, when very many events
   * changed at once. A list that is loaded from here on misses nothing.
   */
  readonly onReload: () => void;
}

/** For sessions with the permission `event`; others are told nothing. The result ends it. */
export function listenForEvents({ onEvents, onReload }: EventListener): () => void {
  let shown: number | undefined;
  return pageLive().listen(['events'], (message) => {
    if (message.type !== 'events') return;
    const { revision, events } = message;
    if (events === undefined) {
      // The line asks again after a silence, in which nothing need have happened.
      if (revision !== shown) onReload();
      shown = revision;
    } else if (shown !== undefined) {
      shown = revision;
      onEvents(events.filter(isRow).map((event) => readRecord(EventRow, event)));
    }
  });
}

function isRow(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

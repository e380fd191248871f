// Events as the live updates tell them, for pages that show rows of them.
import { readRecord } from '../api/readRecord.ts';
import { EventRow } from '../protocol/api/events.ts';
import { type RowListener, rowTopic } from './rowTopic.ts';

export interface EventListener extends Pick<RowListener<EventRow>, 'onReload'> {
  /** Rows that are new or changed: by id they replace what is shown, unless that has a later version. */
  readonly onEvents: (events: readonly EventRow[]) => void;
}

const listen = rowTopic<EventRow>({
  topic: 'events',
  read: (message) => (message.type === 'events' ? { revision: message.revision, rows: message.events } : undefined),
  rowOf: (row) => readRecord(EventRow, row),
});

/** For sessions with the permission `event`; others are sent nothing. The result ends it. */
export function listenForEvents({ onEvents, onReload }: EventListener): () => void {
  return listen({ onRows: onEvents, onReload });
}

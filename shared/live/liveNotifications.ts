// The log of notifications as the live updates tell it.
import { readRecord } from '../api/readRecord.ts';
import { NotifyMessage } from '../protocol/api/notify/notifyMessages.ts';
import { type RowListener, rowTopic } from './rowTopic.ts';

export interface NotificationListener extends Pick<RowListener<NotifyMessage>, 'onReload'> {
  /** Messages that are new or changed: by id they replace what is shown. */
  readonly onMessages: (messages: readonly NotifyMessage[]) => void;
}

const listen = rowTopic<NotifyMessage>({
  topic: 'notifications',
  read: (message) =>
    message.type === 'notifications' ? { revision: message.revision, rows: message.messages } : undefined,
  rowOf: (row) => readRecord(NotifyMessage, row),
});

/** For sessions with the permissions `system` and `eventnotifyconfig`; others are sent nothing. The result ends it. */
export function listenForNotifications({ onMessages, onReload }: NotificationListener): () => void {
  return listen({ onRows: onMessages, onReload });
}

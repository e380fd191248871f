// The topic `notifications`: messages that are new or changed, as rows of each member group's log.
import type { LoggedMessage, MessageListStore } from '../../../store/notify/outbox/messageList.ts';
import type { RowKind } from '../rows/rowFeed.ts';
import { RowSource, type RowSourceDeps } from '../rows/rowSource.ts';

export interface NotificationSourceDeps extends Omit<RowSourceDeps<LoggedMessage>, 'kind' | 'rowsOf' | 'failure'> {
  readonly store: Pick<MessageListStore, 'rowsOf'>;
}

const MESSAGES: RowKind<LoggedMessage> = {
  topic: 'notifications',
  field: 'messages',
  isSeen: ({ memberGroup }, scope) => memberGroup === scope.memberGroup,
  // Whoever has the topic may read all messages of the group.
  isOfGateway: () => false,
  shown: ({ message }) => message,
};

export class NotificationSource extends RowSource<LoggedMessage> {
  constructor({ store, ...deps }: NotificationSourceDeps) {
    const failure = 'notifications could not be read';
    super({ ...deps, kind: MESSAGES, rowsOf: (ids) => store.rowsOf(ids), failure });
  }
}

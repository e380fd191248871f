// The topic `notifications`: messages that are new or changed, as rows of each member group's log.
import { inBackground } from '../../../faults/background.ts';
import type { LoggedMessage, MessageListStore } from '../../../store/notify/outbox/messageList.ts';
import type { RowKind } from '../rows/rowFeed.ts';
import { ROWS_A_MESSAGE, RowSource, type RowSourceDeps } from '../rows/rowSource.ts';

export interface NotificationSourceDeps extends Omit<RowSourceDeps<LoggedMessage>, 'kind' | 'rowsOf' | 'failure'> {
  readonly store: Pick<MessageListStore, 'rowsOf' | 'idsOf'>;
}

const MESSAGES: RowKind<LoggedMessage> = {
  topic: 'notifications',
  field: 'messages',
  isSeen: ({ memberGroup }, scope) => memberGroup === scope.memberGroup,
  // Whoever has the topic may read all messages of the group.
  isOfGateway: () => false,
  shown: ({ message }) => message,
};

const FAILURE = 'notifications could not be read';

export class NotificationSource extends RowSource<LoggedMessage> {
  readonly #deps: NotificationSourceDeps;

  constructor(deps: NotificationSourceDeps) {
    const { store, ...timing } = deps;
    super({ ...timing, kind: MESSAGES, rowsOf: (ids) => store.rowsOf(ids), failure: FAILURE });
    this.#deps = deps;
  }

  /** Messages that the database has now: who planned them knows their keys alone. */
  added(keys: readonly string[]): void {
    const { store, onFault } = this.#deps;
    if (!this.isWatched) return;
    if (keys.length > ROWS_A_MESSAGE) this.reload();
    else inBackground(FAILURE, this.#find(keys, store), onFault);
  }

  async #find(keys: readonly string[], store: NotificationSourceDeps['store']): Promise<void> {
    this.changed(await store.idsOf(keys));
  }
}

// Which senders there are, without what they send with.
import { SENDER_KINDS, type SenderKind } from '../../../shared/protocol/notify/notifyWords.ts';
import type { StoreDb } from '../engine/database.ts';

export interface NamedSender {
  readonly id: number;
  readonly name: string;
  readonly kind: SenderKind;
  readonly enabled: boolean;
}

export interface NotifySenderNameStore {
  /** By id. */
  all(): Promise<NamedSender[]>;
}

export function createNotifySenderNameStore(db: StoreDb): NotifySenderNameStore {
  return {
    all: async () => {
      const rows = await db
        .selectFrom('notify_sender')
        .select(['id', 'name', 'kind', 'enabled'])
        .orderBy('id')
        .execute();
      return rows.map(({ id, name, kind, enabled }) => ({
        id,
        name,
        kind: SENDER_KINDS[kind] ?? 'email',
        enabled: enabled !== 0,
      }));
    },
  };
}

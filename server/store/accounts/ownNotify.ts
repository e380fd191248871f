import type { OwnNotifyContent } from '../../../shared/protocol/api/notify/ownNotify.ts';
import { notifyChoicesText, readNotifyChoices } from '../../../shared/protocol/notify/notifyChoices.ts';
import type { StoreDb } from '../engine/database.ts';

/** How a user wants to be told, and where. */
export interface OwnNotifyStore {
  find(userId: number): Promise<OwnNotifyContent | undefined>;
  /** Gives what was there before; undefined when the user is gone. */
  save(userId: number, content: OwnNotifyContent): Promise<OwnNotifyContent | undefined>;
}

export function createOwnNotifyStore(db: StoreDb): OwnNotifyStore {
  return {
    find: async (userId) => (await findRow(db, userId))?.content,
    save: (userId, content) =>
      db.transaction().execute(async (transaction) => {
        const known = await findRow(transaction, userId);
        if (known === undefined) return undefined;
        const { email, phone } = content;
        // The version moves too: a form that an administrator has open must not put the old addresses back.
        const columns = { email, phone, notify_choices: notifyChoicesText(content), version: known.version + 1 };
        await transaction.updateTable('app_user').set(columns).where('id', '=', userId).execute();
        return known.content;
      }),
  };
}

async function findRow(db: StoreDb, userId: number) {
  const columns = ['email', 'phone', 'notify_choices', 'version'] as const;
  const row = await db.selectFrom('app_user').select(columns).where('id', '=', userId).executeTakeFirst();
  if (row === undefined) return undefined;
  const { email, phone, version } = row;
  return { version, content: { email, phone, ...readNotifyChoices(row.notify_choices) } };
}

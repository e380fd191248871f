import { randomUUID } from 'node:crypto';
import type { StoreDb } from '../../../../server/store/engine/database.ts';
import { toMessageRow } from '../../../../server/store/notify/messageRow.ts';
import type { PlannedMessage } from '../../../../server/store/notify/plannedMessage.ts';
import { aPlannedMessage } from '../../../support/plannedMessage.ts';

export const PLANNED_AT_MS = 1_795_000_000_000;

/** To a service, due at once. */
export function plannedMessage(change: Partial<PlannedMessage> = {}): PlannedMessage {
  const times = { eventBeginAtMs: PLANNED_AT_MS, createdAtMs: PLANNED_AT_MS, dueAtMs: PLANNED_AT_MS };
  const toService = { kind: 'webhook', senderName: 'Desk', address: '', recipient: '' } as const;
  return aPlannedMessage({ key: randomUUID(), ruleName: 'Night shift', ...toService, ...times, ...change });
}

/** Gives its id. */
export async function addMessage(db: StoreDb, message: PlannedMessage, eventId: number): Promise<number> {
  const row = db.insertInto('notify_message').values(toMessageRow(message, eventId)).returning('id');
  return (await row.executeTakeFirstOrThrow()).id;
}

/** Gives its id. */
export async function addSender(db: StoreDb, change: { readonly enabled?: number } = {}): Promise<number> {
  const row = { name: 'Desk', kind: 1, enabled: 1, per_minute: 0, settings: '{}', secret: '', ...change };
  return (await db.insertInto('notify_sender').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

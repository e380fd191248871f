import { randomUUID } from 'node:crypto';
import type { StoreDb } from '../../../../server/store/engine/database.ts';
import { toMessageRow } from '../../../../server/store/notify/messageRow.ts';
import type { PlannedMessage } from '../../../../server/store/notify/plannedMessage.ts';

export const PLANNED_AT_MS = 1_795_000_000_000;

/** To a service, due at once. */
export function plannedMessage(change: Partial<PlannedMessage> = {}): PlannedMessage {
  return {
    key: randomUUID(),
    memberGroup: 1,
    rule: 1,
    ruleName: 'Night shift',
    step: 1,
    sender: 1,
    senderName: 'Desk',
    kind: 'webhook',
    template: 0,
    language: 'en',
    userId: undefined,
    address: '',
    recipient: '',
    eventBeginAtMs: PLANNED_AT_MS,
    archiveNumber: 1,
    deviceId: 'BUS1',
    deviceName: 'Bus 1',
    type: 'speeding',
    severity: 'major',
    digestKey: '',
    waitsQuiet: false,
    repeatMs: 0,
    repeatUntilMs: 0,
    createdAtMs: PLANNED_AT_MS,
    dueAtMs: PLANNED_AT_MS,
    ...change,
  };
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

// Conversion of messages between the database's columns and the values in the rest of the server.
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { NotifyMessage } from '../../../../shared/protocol/api/notify/notifyMessages.ts';
import { SEVERITIES } from '../../../../shared/protocol/events/eventWords.ts';
import { LOCALES } from '../../../../shared/protocol/locale.ts';
import { MESSAGE_STATES, type MessageState, SENDER_KINDS } from '../../../../shared/protocol/notify/notifyWords.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import type { StoredMessage } from '../plannedMessage.ts';
import type { NotifyMessageTable } from '../tables.ts';

export type MessageRow = Selectable<NotifyMessageTable>;

export const stateNumber = (state: MessageState): number => MESSAGE_STATES.indexOf(state);

/** A number in the statement's text: the indexes of waiting messages are partial, and a parameter would not select them. */
export const stateLiteral = (state: MessageState) => sql.lit(stateNumber(state));

/** Columns of a list; the text is read only for a single message. */
export const LISTED_COLUMNS = [
  'id',
  'key',
  'rule',
  'rule_name',
  'step',
  'sender',
  'sender_name',
  'kind',
  'recipient',
  'state',
  'event_id',
  'events',
  'type',
  'severity',
  'device_id',
  'device_name',
  'created_at_ms',
  'due_at_ms',
  'finished_at_ms',
  'attempts',
  'answer',
  'subject',
] as const satisfies readonly (keyof NotifyMessageTable)[];

export type ListedRow = Pick<MessageRow, (typeof LISTED_COLUMNS)[number]>;

export function toNotifyMessage(row: ListedRow): NotifyMessage {
  return {
    id: row.id,
    key: row.key,
    rule: row.rule,
    ruleName: row.rule_name,
    step: row.step,
    sender: row.sender,
    senderName: row.sender_name,
    kind: SENDER_KINDS[row.kind] ?? 'webhook',
    recipient: row.recipient,
    state: MESSAGE_STATES[row.state] ?? 'failed',
    event: row.event_id,
    events: row.events,
    type: row.type,
    severity: SEVERITIES[row.severity] ?? 'info',
    deviceid: row.device_id,
    deviceName: row.device_name,
    createdAtMs: wallMs(row.created_at_ms),
    dueAtMs: wallMs(row.due_at_ms),
    finishedAtMs: wallMs(row.finished_at_ms),
    attempts: row.attempts,
    answer: row.answer,
    subject: row.subject,
  };
}

export function toStoredMessage(row: MessageRow): StoredMessage {
  return {
    id: row.id,
    key: row.key,
    memberGroup: row.member_group,
    rule: row.rule,
    ruleName: row.rule_name,
    step: row.step,
    sender: row.sender,
    senderName: row.sender_name,
    kind: SENDER_KINDS[row.kind] ?? 'webhook',
    template: row.template,
    language: LOCALES.find((locale) => locale === row.language) ?? 'en',
    userId: row.user_id ?? undefined,
    address: row.address,
    recipient: row.recipient,
    eventId: row.event_id,
    eventBeginAtMs: row.event_begin_at_ms,
    events: row.events,
    archiveNumber: row.archive_number,
    deviceId: row.device_id,
    deviceName: row.device_name,
    type: row.type,
    severity: SEVERITIES[row.severity] ?? 'info',
    digestKey: row.digest_key,
    waitsQuiet: row.waits_quiet === 1,
    repeatMs: row.repeat_ms,
    repeatUntilMs: row.repeat_until_ms,
    createdAtMs: row.created_at_ms,
    dueAtMs: row.due_at_ms,
    firstDueAtMs: row.first_due_at_ms,
    attempts: row.attempts,
    isByHand: row.by_hand === 1,
    subject: row.subject,
    body: row.body,
  };
}

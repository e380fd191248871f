// A planned message as its row.
import type { Insertable } from 'kysely';
import { SEVERITIES } from '../../../shared/protocol/events/eventWords.ts';
import { MESSAGE_STATES, SENDER_KINDS } from '../../../shared/protocol/notify/notifyWords.ts';
import { storableText } from '../../limits/storableText.ts';
import type { PlannedMessage } from './plannedMessage.ts';
import type { NotifyMessageTable } from './tables.ts';

/** The row of a message that waits for its first attempt. `eventId`: for a digest, its first event. */
export function toMessageRow(message: PlannedMessage, eventId: number): Insertable<NotifyMessageTable> {
  return {
    key: message.key,
    member_group: message.memberGroup,
    rule: message.rule,
    rule_name: storableText(message.ruleName),
    step: message.step,
    sender: message.sender,
    sender_name: storableText(message.senderName),
    kind: SENDER_KINDS.indexOf(message.kind),
    template: message.template,
    language: message.language,
    user_id: message.userId ?? null,
    address: message.address,
    recipient: storableText(message.recipient),
    event_id: eventId,
    event_begin_at_ms: message.eventBeginAtMs,
    archive_number: message.archiveNumber,
    device_id: message.deviceId,
    device_name: storableText(message.deviceName),
    type: message.type,
    severity: SEVERITIES.indexOf(message.severity),
    events: 1,
    digest_key: message.digestKey,
    waits_quiet: message.waitsQuiet ? 1 : 0,
    repeat_ms: message.repeatMs,
    repeat_until_ms: message.repeatUntilMs,
    state: MESSAGE_STATES.indexOf('waiting'),
    created_at_ms: message.createdAtMs,
    due_at_ms: message.dueAtMs,
    first_due_at_ms: message.dueAtMs,
  };
}

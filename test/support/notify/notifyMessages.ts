import type { StoredMessage } from '../../../server/store/notify/plannedMessage.ts';
import { EVENT_BEGIN_MS } from '../eventRow.ts';

/** A mail to a member about a bus that is speeding, which no attempt has worded yet. */
export function storedMessage(changes: Partial<StoredMessage> = {}): StoredMessage {
  return {
    id: 1,
    key: '0198c1de-2f6b-4c3a-9d4e-5b6f70819203',
    memberGroup: 1,
    rule: 1,
    ruleName: 'Night shift',
    step: 1,
    sender: 1,
    senderName: 'Mail',
    kind: 'email',
    template: 0,
    language: 'en',
    userId: 7,
    address: '',
    recipient: 'Ann Lin',
    eventBeginAtMs: EVENT_BEGIN_MS,
    archiveNumber: 4,
    deviceId: 'BUS1',
    deviceName: 'Lake line 1',
    type: 'speeding',
    severity: 'major',
    digestKey: '',
    waitsQuiet: false,
    repeatMs: 0,
    repeatUntilMs: 0,
    createdAtMs: EVENT_BEGIN_MS,
    dueAtMs: EVENT_BEGIN_MS,
    eventId: 9,
    events: 1,
    firstDueAtMs: EVENT_BEGIN_MS,
    attempts: 0,
    isByHand: false,
    subject: '',
    body: '',
    ...changes,
  };
}

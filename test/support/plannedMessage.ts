import type { PlannedMessage } from '../../server/store/notify/plannedMessage.ts';

const AT_MS = 1_795_000_000_000;
let keys = 0;

/** One to a mail address, due at once; each with a key of its own. */
export function aPlannedMessage(change: Partial<PlannedMessage> = {}): PlannedMessage {
  return {
    key: `key ${++keys}`,
    memberGroup: 1,
    rule: 1,
    ruleName: 'Rule',
    step: 1,
    sender: 1,
    senderName: 'Mail',
    kind: 'email',
    template: 0,
    language: 'en',
    userId: undefined,
    address: 'desk@example.com',
    recipient: 'desk@example.com',
    eventBeginAtMs: AT_MS,
    archiveNumber: 1,
    deviceId: 'BUS1',
    deviceName: 'Bus 1',
    type: 'speeding',
    severity: 'major',
    digestKey: '',
    waitsQuiet: false,
    repeatMs: 0,
    repeatUntilMs: 0,
    createdAtMs: AT_MS,
    dueAtMs: AT_MS,
    ...change,
  };
}

// Rules, choices and messages of notifications, as the gateway gives them.
import type { NotifyMessage } from '../../../shared/protocol/api/notify/notifyMessages.ts';
import type { NotifyChoices, NotifyRule } from '../../../shared/protocol/api/notify/notifyRules.ts';
import { wallMs } from '../../../shared/protocol/time.ts';

const MADE_MS = Date.UTC(2026, 10, 23, 8, 30);

/** Mail at once to one member; a field that is named is as it is said. */
export function notifyRule(fields: Partial<NotifyRule> = {}): NotifyRule {
  return {
    id: 1,
    version: 1,
    name: 'Night shift',
    enabled: true,
    types: ['speeding'],
    severities: ['critical', 'major'],
    deviceGroups: [],
    devices: [],
    coversGateway: false,
    schedule: [],
    timeZone: '',
    steps: [{ afterMinutes: 0, deliveries: [{ sender: 1, template: 0 }], members: [1], roles: [], addresses: [] }],
    intervalMinutes: 0,
    repeatMinutes: 0,
    digestMinutes: 0,
    quietHours: [],
    criticalPasses: true,
    membersChoose: true,
    language: 'en',
    changedAtMs: wallMs(MADE_MS),
    changedBy: 'Mei',
    ...fields,
  };
}

const MEMBER = { hasEmail: true, hasPhone: true, pushBrowsers: 0 } as const;

export const NOTIFY_CHOICES: NotifyChoices = {
  members: [
    { ...MEMBER, id: 1, username: 'lin', displayName: 'Lin Mei' },
    { ...MEMBER, id: 2, username: 'chen', displayName: '', hasEmail: false },
    { ...MEMBER, id: 3, username: 'wu', displayName: 'Wu', hasPhone: false },
  ],
  roles: [
    { id: 1, name: '', builtIn: 'manager', members: 2 },
    { id: 5, name: 'Dispatch', builtIn: '', members: 1 },
  ],
  senders: [
    { id: 1, name: 'Mail', kind: 'email', enabled: true },
    { id: 2, name: 'Text', kind: 'sms', enabled: true },
    { id: 3, name: 'Desk', kind: 'webhook', enabled: false },
  ],
  templates: [{ id: 8, name: 'Short', kind: 'sms' }],
  deviceGroups: [
    { id: 4, name: 'Harbor', parent: 9 },
    { id: 6, name: 'Pier', parent: 4 },
  ],
  devices: [
    { deviceid: 'BUS2', name: 'Lake line 2', plate: '' },
    { deviceid: 'BUS1', name: 'Lake line 1', plate: 'KAA-0001' },
  ],
};

/** One that was sent; a field that is named is as it is said. */
export function notifyMessage(fields: Partial<NotifyMessage> & { readonly id: number }): NotifyMessage {
  return {
    key: '5a2f1c1e-6f0e-4b58-9f5d-0b0f3f4a9f11',
    rule: 1,
    ruleName: 'Night shift',
    step: 1,
    sender: 1,
    senderName: 'Mail',
    kind: 'email',
    recipient: 'Lin Mei',
    state: 'sent',
    event: 7,
    events: 1,
    type: 'speeding',
    severity: 'major',
    deviceid: 'BUS1',
    deviceName: 'Lake line 1',
    createdAtMs: wallMs(MADE_MS),
    dueAtMs: wallMs(MADE_MS),
    finishedAtMs: wallMs(MADE_MS + 2_000),
    attempts: 1,
    answer: '250 OK',
    subject: 'Speeding',
    ...fields,
  };
}

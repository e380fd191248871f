import type { Sender } from '../../shared/protocol/api/notify/senders.ts';
import type { SenderKind } from '../../shared/protocol/notify/notifyWords.ts';
import { wallMs } from '../../shared/protocol/time.ts';

/** Complete ones. */
export const SETTINGS: Readonly<Record<SenderKind, Readonly<Record<string, unknown>>>> = {
  email: {
    host: 'mail.example.com',
    port: 465,
    security: 'tls',
    username: 'alarm',
    fromAddress: 'alarm@example.com',
    fromName: 'Fleet',
  },
  webhook: { url: 'https://example.com/hook', headers: [{ name: 'X-Team', value: 'night' }] },
  sms: {
    method: 'POST',
    url: 'https://sms.example.com/send',
    headers: [{ name: 'Content-Type', value: 'application/json' }],
    body: '{"to":"{{to}}","text":"{{text}}"} ',
  },
  syslog: { host: 'log.example.com', port: 6_514, transport: 'tls', facility: 16, appName: 'fleetglass' },
  push: { contact: 'mailto:admin@example.com' },
};

export function aSender(part: Partial<Sender> = {}): Sender {
  return {
    id: 1,
    version: 1,
    name: 'Office mail',
    kind: 'email',
    enabled: true,
    perMinute: 0,
    settings: SETTINGS.email,
    hasSecret: true,
    failures: 0,
    lastSentAtMs: wallMs(0),
    lastFailureAtMs: wallMs(0),
    lastFailure: '',
    waiting: 0,
    ...part,
  };
}

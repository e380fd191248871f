import type { SenderFields } from '../../../server/store/notify/notifySenders.ts';
import type { EmailSettings } from '../../../shared/protocol/api/notify/senders.ts';

export const MAIL_SETTINGS: EmailSettings = {
  host: 'mail.example',
  port: 587,
  security: 'starttls',
  username: 'fleet',
  fromAddress: 'fleet@example.com',
  fromName: 'Fleet',
};

export function senderFields(changes: Partial<SenderFields> = {}): SenderFields {
  return { name: 'Mail', kind: 'email', enabled: true, perMinute: 60, settings: { ...MAIL_SETTINGS }, ...changes };
}

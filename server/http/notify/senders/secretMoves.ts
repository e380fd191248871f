// Where a stored secret goes. Pure.
import type {
  EmailSettings,
  SenderContent,
  SmsSettings,
  WebhookSettings,
} from '../../../../shared/protocol/api/notify/senders.ts';
import { SECRET_PLACEHOLDER } from '../../../notify/senders/sms/smsRequest.ts';

/**
 * Whether a change would have the stored secret sent to somewhere else. It has to be entered again then: otherwise whoever may
 * edit senders could read it by naming a server of their own.
 */
export function movesSecret(
  before: Pick<SenderContent, 'kind' | 'settings'>,
  after: Pick<SenderContent, 'kind' | 'settings'>,
): boolean {
  if (before.kind !== after.kind) return true;
  switch (after.kind) {
    case 'email':
      return mailServerOf(before.settings) !== mailServerOf(after.settings);
    case 'sms':
      return originOf(before.settings) !== originOf(after.settings);
    case 'webhook':
      // One that only signs is never sent. Adding a header that sends it counts too: the address may have been changed before.
      return sendsSecret(after) && (!sendsSecret(before) || originOf(before.settings) !== originOf(after.settings));
    // There is none.
    case 'syslog':
    case 'push':
      return false;
  }
}

function mailServerOf(settings: unknown): string {
  const { host, port, security } = settings as EmailSettings;
  return `${security} ${host} ${port}`;
}

function originOf(settings: unknown): string {
  return new URL((settings as SmsSettings).url).origin;
}

/** Whether a webhook has the secret in a header; else the secret signs alone. */
export function sendsSecret({ kind, settings }: Pick<SenderContent, 'kind' | 'settings'>): boolean {
  if (kind !== 'webhook') return false;
  const { headers } = settings as unknown as WebhookSettings;
  return headers.some(({ value }) => value.search(SECRET_PLACEHOLDER) >= 0);
}

// The destination of a stored secret. Pure.
import type {
  EmailSettings,
  SenderContent,
  SmsSettings,
  WebhookSettings,
} from '../../../shared/protocol/api/notify/senders.ts';
import { SECRET_PLACEHOLDER } from './sms/smsRequest.ts';

type Settings = Pick<SenderContent, 'kind' | 'settings'>;

/**
 * Whether a change would have the stored secret sent elsewhere, or in another place of what is sent. It has to be entered again then:
 * otherwise whoever may edit senders could read it, by naming a server of their own, another customer's path on the same site, or the
 * text of an SMS to their own phone.
 */
export function movesSecret(before: Settings, after: Settings): boolean {
  if (before.kind !== after.kind) return true;
  switch (after.kind) {
    case 'email':
      return movesPassword(settingsOf<EmailSettings>(before), settingsOf<EmailSettings>(after));
    case 'sms':
      return movesInSms(settingsOf<SmsSettings>(before), settingsOf<SmsSettings>(after));
    case 'webhook':
      return movesInWebhook(settingsOf<WebhookSettings>(before), settingsOf<WebhookSettings>(after));
    // These have no secret.
    case 'syslog':
    case 'push':
      return false;
  }
}

function movesPassword(before: EmailSettings, after: EmailSettings): boolean {
  if (after.username === '') return false;
  const signIn = ({ security, host, port, username }: EmailSettings): string =>
    JSON.stringify([security, host, port, username]);
  return signIn(before) !== signIn(after);
}

/** This also applies where the secret only signs: signatures made for one address prove messages at another. */
function movesInWebhook(before: WebhookSettings, after: WebhookSettings): boolean {
  return before.url !== after.url || addsPart(partsOfHeaders(before), partsOfHeaders(after));
}

function movesInSms(before: SmsSettings, after: SmsSettings): boolean {
  const parts = partsOfSms(after);
  if (parts.length === 0) return false;
  return before.url !== after.url || before.method !== after.method || addsPart(partsOfSms(before), parts);
}

/** The parts of the request that hold the secret, each as it is set. */
function partsOfSms({ method, url, headers, body }: SmsSettings): readonly string[] {
  // A request to read has no body.
  const texts = method === 'GET' ? [url] : [url, body];
  return [...texts.filter(holdsSecret), ...partsOfHeaders({ headers })];
}

function partsOfHeaders({ headers }: Pick<WebhookSettings, 'headers'>): readonly string[] {
  return headers
    .filter(({ value }) => holdsSecret(value))
    .map(({ name, value }) => JSON.stringify([name.toLowerCase(), value]));
}

function addsPart(before: readonly string[], after: readonly string[]): boolean {
  return after.some((part) => !before.includes(part));
}

function holdsSecret(text: string): boolean {
  return text.search(SECRET_PLACEHOLDER) >= 0;
}

/** Whether a webhook has the secret in a header; else the secret signs alone. */
export function sendsSecret(sender: Settings): boolean {
  return sender.kind === 'webhook' && partsOfHeaders(settingsOf<WebhookSettings>(sender)).length > 0;
}

/** They have been checked by the sender's kind. */
function settingsOf<Kind>({ settings }: Settings): Kind {
  return settings as unknown as Kind;
}

// Senders as pages and the audit see them: without their secrets.
import type { AuditFields } from '../../../../shared/protocol/api/audit.ts';
import type { Sender } from '../../../../shared/protocol/api/notify/senders.ts';
import { sha256Hex } from '../../../notify/senders/secretBox.ts';
import type { ListedSender, SenderFields } from '../../../store/notify/notifySenders.ts';
import { type CsvRow, csvTimestamp } from '../../kernel/lists/csv.ts';

export function showSender(sender: ListedSender): Sender {
  const { sealedSecret, ...shown } = sender;
  return { ...shown, hasSecret: sealedSecret !== '' };
}

export const SENDER_CSV_COLUMNS = [
  'id',
  'name',
  'kind',
  'enabled',
  'per minute',
  'waiting',
  'last sent',
  'failures',
  'last failure',
  'reason',
];

export function senderCells(sender: Sender): CsvRow {
  const { id, name, kind, enabled, perMinute, waiting, lastSentAtMs, failures, lastFailureAtMs, lastFailure } = sender;
  const times = [csvTimestamp(lastSentAtMs), failures, csvTimestamp(lastFailureAtMs)];
  return [String(id), name, kind, String(enabled), perMinute, waiting, ...times, lastFailure];
}

/** What the audit says of the secret. */
export type SecretState = 'none' | 'set' | 'changed';

/** Addresses of services, values of headers and bodies often hold credentials, and others may read the audit. */
export function auditFieldsOf(fields: SenderFields, secret: SecretState): AuditFields {
  const { name, kind, enabled, perMinute, settings } = fields;
  const { url, headers, body, ...plain } = settings;
  return {
    name,
    kind,
    enabled,
    perMinute,
    secret,
    settings: {
      ...plain,
      ...(typeof url === 'string' ? { url: maskedUrl(url) } : {}),
      ...(Array.isArray(headers) ? { headers: (headers as readonly HeaderSetting[]).map(maskedHeader) } : {}),
      ...(typeof body === 'string' && body !== '' ? { body: `… (${markOf(body)})` } : {}),
    },
  };
}

interface HeaderSetting {
  readonly name: string;
  readonly value: string;
}

/** The URL with a mark that distinguishes two addresses of the same site. */
function maskedUrl(url: string): string {
  return `${new URL(url).origin}/… (${markOf(url)})`;
}

function maskedHeader({ name, value }: HeaderSetting): string {
  return `${name} (${markOf(value)})`;
}

function markOf(text: string): string {
  return sha256Hex(text).slice(0, 8);
}

// A message of RFC 5424, framed according to RFC 6587 and RFC 5425: its length in bytes, a space, the message. Pure.
import type { SyslogSettings } from '../../../../shared/protocol/api/notify/senders.ts';
import type { Severity } from '../../../../shared/protocol/events/eventWords.ts';
import type { OutgoingMessage } from '../../outgoing.ts';
import { cutText } from '../outbound.ts';

/** Critical, error, warning, informational. */
const SEVERITY_NUMBERS: Readonly<Record<Severity, number>> = { critical: 2, major: 3, minor: 4, info: 6 };
/** Size that RFC 5425 asks every receiver to accept. */
const MAX_MESSAGE_BYTES = 8_192;
/** The number that RFC 5612 reserves for examples: the product has none of its own. */
const STRUCTURED_ID = 'event@32473';
const NONE = '-';

export function syslogMessage(
  message: OutgoingMessage,
  { facility, appName }: Pick<SyslogSettings, 'facility' | 'appName'>,
  hostName: string,
): string {
  const { severity, eventAtMs, body, facts, key } = message;
  const priority = facility * 8 + SEVERITY_NUMBERS[severity];
  const time = new Date(eventAtMs).toISOString();
  const host = printable(hostName, 255);
  const type = printable(facts?.type ?? '', 32);
  const data = structured({ id: facts?.eventId, deviceId: facts?.deviceId, key });
  const head = `<${priority}>1 ${time} ${host} ${printable(appName, 48)} ${NONE} ${type} ${data} \ufeff`;
  return head + cutBytes(body, MAX_MESSAGE_BYTES - Buffer.byteLength(head));
}

export function framed(message: string): Buffer {
  const bytes = Buffer.from(message);
  return Buffer.concat([Buffer.from(`${bytes.length} `), bytes]);
}

function structured(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  return `[${STRUCTURED_ID}${given.map(([name, value]) => ` ${name}="${escaped(String(value))}"`).join('')}]`;
}

function escaped(value: string): string {
  return value.replaceAll(/["\\\]]/g, (sign) => `\\${sign}`);
}

/** A field of the header: it has neither blanks nor non-ASCII characters. */
function printable(text: string, max: number): string {
  const cleaned = text.replaceAll(/[^\x21-\x7e]/g, '').slice(0, max);
  return cleaned === '' ? NONE : cleaned;
}

/** At most this many bytes of UTF-8, without half a character. */
export function cutBytes(text: string, max: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= max) return text;
  let end = Math.max(max, 0);
  // 10xxxxxx continues the character before it.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return cutText(bytes.subarray(0, end).toString(), end);
}

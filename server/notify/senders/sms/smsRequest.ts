// The request to an SMS gateway, made from the sender's templates. Each value is encoded for its place. Pure.
import type { SmsSettings } from '../../../../shared/protocol/api/notify/senders.ts';
import type { GuardedRequest } from '../http/guardedRequest.ts';
import { givenHeaders, headerValue } from '../http/headers.ts';

export const SMS_PLACEHOLDERS = ['secret', 'to', 'text', 'key'] as const;
type Placeholder = (typeof SMS_PLACEHOLDERS)[number];
export type SmsValues = Readonly<Record<Placeholder, string>>;

const PLACEHOLDER = /\{\{([\s\w.-]*)\}\}/g;

export const SECRET_PLACEHOLDER = /\{\{\s*secret\s*\}\}/g;

/** Anything that begins like a placeholder: a misspelled one would be sent literally. */
const BEGUN = /\{\{([^{}]*)(\}\})?/g;

/** The names in double braces that are no placeholders; '' for braces without a name. */
export function unknownPlaceholders(
  template: string,
  known: readonly Placeholder[] = SMS_PLACEHOLDERS,
): readonly string[] {
  const begun = [...template.matchAll(BEGUN)].map(([, name = '', end]) => ({
    name: name.trim(),
    isClosed: end !== undefined,
  }));
  return begun
    .filter(({ name, isClosed }) => !isClosed || !(known as readonly string[]).includes(name))
    .map(({ name }) => name);
}

function isPlaceholder(name: string): name is Placeholder {
  return (SMS_PLACEHOLDERS as readonly string[]).includes(name);
}

type Encode = (value: string) => string;

function fill(template: string, values: SmsValues, encode: Encode): string {
  // Half a character has no encoding.
  const encoded = (name: Placeholder): string => encode(values[name].replaceAll(/\p{Cs}/gu, '\ufffd'));
  return template.replaceAll(PLACEHOLDER, (all, given: string) => {
    const name = given.trim();
    return isPlaceholder(name) ? encoded(name) : all;
  });
}

export function smsRequest(settings: SmsSettings, values: SmsValues): GuardedRequest {
  const headers = givenHeaders(
    settings.headers.map(({ name, value }) => ({ name, value: fill(value, values, (text) => text) })),
  );
  const url = fill(settings.url, values, encodeURIComponent);
  if (settings.method === 'GET') return { method: 'GET', url, headers: withKey(headers, values), body: '' };
  const contentType = headers['content-type'] ?? guessedType(settings.body);
  const body = fill(settings.body, values, encoderOf(contentType));
  return { method: settings.method, url, headers: withKey({ ...headers, 'content-type': contentType }, values), body };
}

function withKey(headers: Readonly<Record<string, string>>, { key }: SmsValues): Readonly<Record<string, string>> {
  return { ...headers, 'idempotency-key': headerValue(key) };
}

function guessedType(body: string): string {
  return /^\s*[[{]/.test(body) ? 'application/json; charset=utf-8' : 'application/x-www-form-urlencoded';
}

/** The encoding of values in a body of this type. */
function encoderOf(contentType: string): Encode {
  if (/json/i.test(contentType)) return (value) => JSON.stringify(value).slice(1, -1);
  if (/x-www-form-urlencoded/i.test(contentType)) return encodeURIComponent;
  if (/xml/i.test(contentType)) return (value) => value.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return (value) => value;
}

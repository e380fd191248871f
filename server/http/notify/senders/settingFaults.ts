// What is wrong with a sender's settings, as codes of fields: `settings.host`, `settings.headers.0.name`. Pure.
import { Errors } from 'typebox/value';
import {
  type EmailSettings,
  type PushSettings,
  SENDER_SETTINGS,
  type SenderContent,
  type SmsSettings,
  type WebhookSettings,
} from '../../../../shared/protocol/api/notify/senders.ts';
import type { FieldCode } from '../../../../shared/protocol/fieldCodes.ts';
import { isOwnHeader } from '../../../notify/senders/http/headers.ts';
import { unknownPlaceholders } from '../../../notify/senders/sms/smsRequest.ts';

export type FieldFaults = Readonly<Record<string, FieldCode>>;

export function faultsOfSettings({ kind, settings }: Pick<SenderContent, 'kind' | 'settings'>): FieldFaults {
  const shape = faultsOfShape(kind, settings);
  if (Object.keys(shape).length > 0) return shape;
  switch (kind) {
    case 'webhook': {
      const { url, headers } = settings as unknown as WebhookSettings;
      return { ...faultsOfUrl(url, false), ...faultsOfHeaders(headers) };
    }
    case 'sms':
      return faultsOfSms(settings as unknown as SmsSettings);
    case 'push':
      return URL.canParse((settings as PushSettings).contact) ? {} : { 'settings.contact': 'bad-format' };
    case 'email':
    case 'syslog':
      return {};
  }
}

type SchemaError = ReturnType<typeof Errors>[number];

function faultsOfShape(kind: SenderContent['kind'], settings: unknown): FieldFaults {
  const faults: Record<string, FieldCode> = {};
  for (const error of Errors(SENDER_SETTINGS[kind], settings)) {
    for (const [path, code] of codesOf(error, settings)) faults[path] ??= code;
  }
  return faults;
}

function codesOf(error: SchemaError, settings: unknown): readonly (readonly [string, FieldCode])[] {
  const path = `settings${error.instancePath.replaceAll('/', '.')}`;
  switch (error.keyword) {
    case 'required':
      return error.params.requiredProperties.map((name) => [`${path}.${name}`, 'required']);
    case 'additionalProperties':
      return error.params.additionalProperties.map((name) => [`${path}.${name}`, 'not-allowed']);
    // What a schema says of a field that it does not know.
    case 'boolean':
      return [[path, 'not-allowed']];
    case 'enum':
      return [[path, 'unknown']];
    case 'minimum':
    case 'maximum':
      return [[path, 'out-of-range']];
    case 'maxLength':
    case 'maxItems':
      return [[path, 'too-long']];
    default:
      return [[path, valueAt(settings, error.instancePath) === '' ? 'required' : 'bad-format']];
  }
}

function valueAt(settings: unknown, path: string): unknown {
  return path
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], settings);
}

function faultsOfSms({ url, headers, body }: SmsSettings): FieldFaults {
  const isUnknown = (template: string): boolean => unknownPlaceholders(template).length > 0;
  const values = headers.flatMap(({ value }, index) => (isUnknown(value) ? [`settings.headers.${index}.value`] : []));
  const texts = Object.entries({ 'settings.url': url, 'settings.body': body }).flatMap(([path, text]) =>
    isUnknown(text) ? [path] : [],
  );
  const unknown = Object.fromEntries([...values, ...texts].map((path) => [path, 'unknown'] as const));
  return { ...faultsOfUrl(url, true), ...faultsOfHeaders(headers), ...unknown };
}

/** A name and password in a URL are credentials: an SMS gateway may be given its secret there. */
function faultsOfUrl(url: string, mayHaveCredentials: boolean): FieldFaults {
  if (!URL.canParse(url)) return { 'settings.url': 'bad-format' };
  const { username, password, hostname } = new URL(url);
  // Whom a message goes to must not decide where it goes.
  if (/[{}]/.test(hostname)) return { 'settings.url': 'bad-format' };
  if (!isEncoding(username) || !isEncoding(password)) return { 'settings.url': 'bad-format' };
  const hasCredentials = username !== '' || password !== '';
  return hasCredentials && !mayHaveCredentials ? { 'settings.url': 'not-allowed' } : {};
}

/** Credentials are sent decoded. */
function isEncoding(text: string): boolean {
  return !/%(?![\da-f]{2})/i.test(text);
}

function faultsOfHeaders(headers: WebhookSettings['headers']): FieldFaults {
  const own = headers.flatMap(({ name }, index) => (isOwnHeader(name) ? [`settings.headers.${index}.name`] : []));
  return Object.fromEntries(own.map((path) => [path, 'not-allowed' as const]));
}

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
    // It signs, or there is none: it is never sent.
    case 'webhook':
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

// What is wrong with a sender's settings, as codes of fields: `settings.host`, `settings.headers.0.name`. Pure.
import { Errors } from 'typebox/value';
import {
  type PushSettings,
  SENDER_SETTINGS,
  type SenderContent,
  type SmsSettings,
  type WebhookSettings,
} from '../../../shared/protocol/api/notify/senders.ts';
import type { FieldCode } from '../../../shared/protocol/fieldCodes.ts';
import { isOwnHeader } from './http/headers.ts';
import { SMS_PLACEHOLDERS, unknownPlaceholders } from './sms/smsRequest.ts';

export type FieldFaults = Readonly<Record<string, FieldCode>>;

export function faultsOfSettings({ kind, settings }: Pick<SenderContent, 'kind' | 'settings'>): FieldFaults {
  const shape = faultsOfShape(kind, settings);
  if (Object.keys(shape).length > 0) return shape;
  switch (kind) {
    case 'webhook': {
      const { url, headers } = settings as unknown as WebhookSettings;
      return { ...faultsOfUrl(url, false), ...faultsOfHeaders(headers), ...unknownInHeaders(headers, ['secret']) };
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
  const texts = Object.entries({ 'settings.url': url, 'settings.body': body }).flatMap(([path, text]) =>
    isUnknown(text) ? [path] : [],
  );
  const unknown = Object.fromEntries(texts.map((path) => [path, 'unknown'] as const));
  const inHeaders = unknownInHeaders(headers, SMS_PLACEHOLDERS);
  return { ...faultsOfUrl(url, true), ...faultsOfHeaders(headers), ...inHeaders, ...unknown };
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

function unknownInHeaders(
  headers: WebhookSettings['headers'],
  known: Parameters<typeof unknownPlaceholders>[1],
): FieldFaults {
  const unknown = headers.flatMap(({ value }, index) =>
    unknownPlaceholders(value, known).length > 0 ? [`settings.headers.${index}.value`] : [],
  );
  return Object.fromEntries(unknown.map((path) => [path, 'unknown' as const]));
}

// Senders, which carry messages. Secrets go in and never come out (docs/notifications.md).
import * as Type from 'typebox/type';
import { MAIL_ADDRESS_PATTERN } from '../../notify/mailAddress.ts';
import { SENDER_KINDS } from '../../notify/notifyWords.ts';
import {
  AnyFields,
  Count,
  closed,
  Flag,
  Id,
  LineOfText,
  Nullable,
  OneOf,
  type RecordOf,
  Text,
  Timestamp,
  Version,
} from '../records.ts';

export const SENDERS_PATH = '/api/sender/senders';
export const SENDER_TEST_PATH = '/api/sender/test';

export const MAX_SENDER_NAME = 100;
export const MAX_SENDERS = 100;
const MAX_SETTING = 1_000;
const MAX_SMS_BODY = 4_000;
const MAX_SECRET = 1_000;

const Host = Type.String({ minLength: 1, maxLength: 253, pattern: '^[A-Za-z0-9._:-]+$' });
const Port = Type.Integer({ minimum: 1, maximum: 65_535 });
const Url = Type.String({ minLength: 1, maxLength: MAX_SETTING, pattern: '^https?://[^\\s\\u0000-\\u001f\\u007f]+$' });
/** A token of RFC 9110, and a value without line breaks. */
const Header = Type.Object(
  { name: Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$" }), value: LineOfText(MAX_SETTING) },
  closed,
);

export const MAIL_SECURITIES = ['tls', 'starttls', 'none'] as const;
export const SMS_METHODS = ['POST', 'PUT', 'GET'] as const;
const SYSLOG_TRANSPORTS = ['tls', 'tcp'] as const;

/** The settings of each kind. In what is sent to an SMS gateway, `{{secret}}` stands for the sender's secret. */
export const SENDER_SETTINGS = {
  email: Type.Object(
    {
      host: Host,
      port: Port,
      security: OneOf(MAIL_SECURITIES),
      /** '' for a server that asks for none; the password is the secret. */
      username: LineOfText(254),
      fromAddress: Type.String({
        minLength: 3,
        maxLength: 254,
        pattern: `^${MAIL_ADDRESS_PATTERN}$`,
      }),
      fromName: LineOfText(100),
    },
    closed,
  ),
  /** The secret signs the requests. */
  webhook: Type.Object({ url: Url, headers: Type.Array(Header, { maxItems: 10 }) }, closed),
  /** URL, values of headers and body are templates, with `{{secret}}`, `{{to}}` and `{{text}}`. */
  sms: Type.Object(
    {
      method: OneOf(SMS_METHODS),
      url: Url,
      headers: Type.Array(Header, { maxItems: 10 }),
      body: Type.String({ maxLength: MAX_SMS_BODY }),
    },
    closed,
  ),
  syslog: Type.Object(
    {
      host: Host,
      port: Port,
      transport: OneOf(SYSLOG_TRANSPORTS),
      facility: Type.Integer({ minimum: 0, maximum: 23 }),
      /** APP-NAME of RFC 5424. */
      appName: Type.String({ pattern: '^[\\x21-\\x7e]{1,48}$' }),
    },
    closed,
  ),
  /** `contact`: whom a push service can ask, as `mailto:` or `https:`. */
  push: Type.Object(
    { contact: Type.String({ maxLength: MAX_SETTING, pattern: '^(mailto:|https://)[^\\s]+$' }) },
    closed,
  ),
} as const;

export type EmailSettings = RecordOf<(typeof SENDER_SETTINGS)['email']>;
export type WebhookSettings = RecordOf<(typeof SENDER_SETTINGS)['webhook']>;
export type SmsSettings = RecordOf<(typeof SENDER_SETTINGS)['sms']>;
export type SyslogSettings = RecordOf<(typeof SENDER_SETTINGS)['syslog']>;
export type PushSettings = RecordOf<(typeof SENDER_SETTINGS)['push']>;

const content = {
  name: LineOfText(MAX_SENDER_NAME),
  kind: OneOf(SENDER_KINDS),
  enabled: Flag,
  /** Messages beyond it wait; 0: no limit. */
  perMinute: Type.Integer({ minimum: 0, maximum: 10_000 }),
  /** Settings of the kind, see SENDER_SETTINGS. */
  settings: AnyFields,
};

/** The secret. Left out: the stored one stays; '': none. */
const secret = Type.Optional(Type.String({ maxLength: MAX_SECRET }));

export const SenderContent = Type.Object({ ...content, secret }, closed);
export type SenderContent = RecordOf<typeof SenderContent>;

export const ChangedSender = Type.Object({ ...content, secret, version: Version }, closed);
export type ChangedSender = RecordOf<typeof ChangedSender>;

export const Sender = Type.Object({
  id: Id,
  version: Version,
  ...content,
  hasSecret: Flag,
  /** Failed attempts since the last successful one. */
  failures: Count,
  lastSentAtMs: Timestamp,
  lastFailureAtMs: Timestamp,
  lastFailure: Text,
  waiting: Count,
});
export type Sender = RecordOf<typeof Sender>;

export const SENDER_SORTS = ['name', 'kind'] as const;
export type SenderSort = (typeof SENDER_SORTS)[number];
export const SenderFilters = { kind: Type.Optional(OneOf(SENDER_KINDS)) };

/** `id`: a stored sender, whose secret is used if none is given. */
export const SenderTest = Type.Object(
  {
    id: Nullable(Type.Integer({ minimum: 1 })),
    sender: SenderContent,
    /** Mail address or phone number; '' for a service, and for the caller's own browsers. */
    to: Type.String({ maxLength: 254, pattern: '^[^\\s\\u0000-\\u001f\\u007f]*$' }),
  },
  closed,
);
export type SenderTest = RecordOf<typeof SenderTest>;

export const SenderTestResult = Type.Object({
  isSent: Flag,
  answer: Text,
  tookMs: Count,
  /** The messages of both sides, without secrets. */
  conversation: Type.Array(Type.Object({ side: OneOf(['gateway', 'server', 'note']), text: Text })),
});
export type SenderTestResult = RecordOf<typeof SenderTestResult>;

// A sender's form as data: one draft for all kinds, so that what was typed stays when another kind is looked at. Pure.
import {
  type EmailSettings,
  MAIL_SECURITIES,
  SENDER_SETTINGS,
  type Sender,
  type SenderContent,
  type SmsSettings,
  type SyslogSettings,
} from '../../../../shared/protocol/api/notify/senders.ts';
import type { SenderKind } from '../../../../shared/protocol/notify/notifyWords.ts';

export interface HeaderDraft {
  readonly name: string;
  readonly value: string;
}

export interface SenderDraft {
  readonly name: string;
  readonly kind: SenderKind;
  readonly enabled: boolean;
  /** Null: no limit. */
  readonly perMinute: number | null;
  readonly host: string;
  readonly port: number | null;
  readonly security: EmailSettings['security'];
  readonly username: string;
  readonly fromAddress: string;
  readonly fromName: string;
  readonly url: string;
  readonly headers: readonly HeaderDraft[];
  readonly method: SmsSettings['method'];
  readonly body: string;
  readonly transport: SyslogSettings['transport'];
  /** A number as text. */
  readonly facility: string;
  readonly appName: string;
  readonly contact: string;
  /** '' keeps the stored secret. */
  readonly secret: string;
  readonly removesSecret: boolean;
}

const MAIL_PORTS: Readonly<Record<EmailSettings['security'], number>> = { tls: 465, starttls: 587, none: 25 };
const SYSLOG_PORTS: Readonly<Record<SyslogSettings['transport'], number>> = { tls: 6_514, tcp: 601 };

export const NEW_SENDER: SenderDraft = {
  name: '',
  kind: 'email',
  enabled: true,
  perMinute: null,
  host: '',
  port: MAIL_PORTS.tls,
  security: MAIL_SECURITIES[0],
  username: '',
  fromAddress: '',
  fromName: '',
  url: '',
  headers: [],
  method: 'POST',
  body: '',
  transport: 'tls',
  facility: '16',
  appName: 'fleetglass',
  contact: '',
  secret: '',
  removesSecret: false,
};

/** The setting names that only one kind has: the fields of SENDER_SETTINGS. */
export function settingNamesOf(kind: SenderKind): readonly (keyof SenderDraft)[] {
  return Object.keys(SENDER_SETTINGS[kind].properties) as (keyof SenderDraft)[];
}

export function hasSecretField(kind: SenderKind): boolean {
  return kind === 'email' || kind === 'webhook' || kind === 'sms';
}

/** Settings of another kind, or of a newer gateway, are left out. */
export function draftOf({ name, kind, enabled, perMinute, settings }: Sender): SenderDraft {
  const known = Object.entries(settings).filter(([field]) => settingNamesOf(kind).includes(field as keyof SenderDraft));
  const fields = Object.fromEntries(known) as Partial<SenderDraft> & { readonly facility?: unknown };
  const facility = fields.facility === undefined ? NEW_SENDER.facility : String(fields.facility);
  return { ...NEW_SENDER, ...fields, facility, name, kind, enabled, perMinute: perMinute === 0 ? null : perMinute };
}

/** The content of a draft without problems. */
export function contentOf(draft: SenderDraft): SenderContent {
  const { kind, enabled, perMinute, removesSecret, secret } = draft;
  const settings = Object.fromEntries(settingNamesOf(kind).map((name) => [name, settingOf(draft, name)]));
  const content = { name: draft.name.trim(), kind, enabled, perMinute: perMinute ?? 0, settings };
  if (!hasSecretField(kind)) return content;
  if (removesSecret) return { ...content, secret: '' };
  return secret === '' ? content : { ...content, secret };
}

export function settingOf(draft: SenderDraft, name: keyof SenderDraft): unknown {
  if (name === 'facility') return Number(draft.facility);
  const value = draft[name];
  return typeof value === 'string' && name !== 'body' ? value.trim() : value;
}

/** The port follows its usual value, unless another one was typed. */
export function withPort(draft: SenderDraft, part: Partial<SenderDraft>): Partial<SenderDraft> {
  const next = { ...draft, ...part };
  return draft.port === usualPort(draft) ? { ...part, port: usualPort(next) } : part;
}

function usualPort({ kind, security, transport }: SenderDraft): number {
  return kind === 'syslog' ? SYSLOG_PORTS[transport] : MAIL_PORTS[security];
}

export type SenderWarning = 'open-mail' | 'open-syslog' | 'open-web';

/** The warning where others can read the message on the way. */
export function warningOf({ kind, security, transport, url }: SenderDraft): SenderWarning | undefined {
  if (kind === 'email') return security === 'none' ? 'open-mail' : undefined;
  if (kind === 'syslog') return transport === 'tcp' ? 'open-syslog' : undefined;
  return (kind === 'webhook' || kind === 'sms') && /^http:/i.test(url.trim()) ? 'open-web' : undefined;
}

// The texts that come with the product. They are templates like those of administrators, so they are here and not in the translations of
// pages: those have no fallback language, and a page would load them without need.
import type { TemplatePresets, TemplateText } from '../../../../shared/protocol/api/notify/templates.ts';
import { LOCALES, type Locale } from '../../../../shared/protocol/locale.ts';
import { SENDER_KINDS, type SenderKind } from '../../../../shared/protocol/notify/notifyWords.ts';
import { EMAIL_DIGEST, EMAIL_TEXTS } from './email.ts';
import { PUSH_DIGEST, PUSH_TEXTS } from './push.ts';
import { SMS_DIGEST, SMS_TEXTS } from './sms.ts';
import { SYSLOG_DIGEST, SYSLOG_TEXTS } from './syslog.ts';
import type { TextsByLanguage } from './textsByLanguage.ts';
import { WEBHOOK_TEXTS } from './webhook.ts';

const STANDARD: Readonly<Record<SenderKind, TextsByLanguage>> = {
  email: EMAIL_TEXTS,
  webhook: WEBHOOK_TEXTS,
  sms: SMS_TEXTS,
  syslog: SYSLOG_TEXTS,
  push: PUSH_TEXTS,
};

/** Texts for several events in one message. */
const DIGEST: Readonly<Record<SenderKind, TextsByLanguage>> = {
  email: EMAIL_DIGEST,
  webhook: WEBHOOK_TEXTS,
  sms: SMS_DIGEST,
  syslog: SYSLOG_DIGEST,
  push: PUSH_DIGEST,
};

export function standardText(kind: SenderKind, language: Locale): TemplateText {
  return STANDARD[kind][language];
}

export function digestText(kind: SenderKind, language: Locale): TemplateText {
  return DIGEST[kind][language];
}

export function templatePresets(): TemplatePresets {
  return SENDER_KINDS.map((kind) => ({
    kind,
    texts: Object.fromEntries(LOCALES.map((locale) => [locale, standardText(kind, locale)])),
  }));
}

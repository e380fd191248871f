// The message of a test, in the caller's language. Pure.

import { LOCALES, type Locale } from '../../../../shared/protocol/locale.ts';
import { isMailAddress } from '../../../../shared/protocol/notify/mailAddress.ts';
import type { SenderKind } from '../../../../shared/protocol/notify/notifyWords.ts';
import type { Destination, OutgoingMessage } from '../../../notify/outgoing.ts';

export interface TestUser {
  readonly id: number;
  readonly username: string;
  readonly language: string;
}

interface TestText {
  readonly subject: string;
  readonly body: string;
}

const TEXTS: Readonly<Record<Locale, TestText>> = {
  en: { subject: 'Fleetglass: test message', body: 'This is a test message. The sender works.' },
  'zh-TW': { subject: 'Fleetglass：測試訊息', body: '這是測試訊息，發送管道運作正常。' },
  jp: {
    subject: 'Fleetglass：テストメッセージ',
    body: 'これはテストメッセージです。送信サービスは正常に動作しています。',
  },
};

const PHONE = /^\+?\d{3,20}$/;

/** Undefined when the address isn't of the kind. */
export function destinationOfTest(kind: SenderKind, to: string, user: TestUser): Destination | undefined {
  switch (kind) {
    case 'email':
      return isMailAddress(to) ? { to: 'address', address: to } : undefined;
    case 'sms':
      return PHONE.test(to) ? { to: 'address', address: to } : undefined;
    case 'webhook':
    case 'syslog':
      return { to: 'service' };
    case 'push': {
      const { id: userId, username: name } = user;
      return { to: 'member', userId, name, address: '', language: localeOf(user), timeZone: '' };
    }
  }
}

function localeOf({ language }: TestUser): Locale {
  return LOCALES.find((locale) => locale === language) ?? 'en';
}

export interface TestFacts {
  readonly destination: Destination;
  readonly key: string;
  readonly user: TestUser;
  readonly nowMs: number;
}

export function testMessage(kind: SenderKind, { destination, key, user, nowMs }: TestFacts): OutgoingMessage {
  const { subject, body } = TEXTS[localeOf(user)];
  const about = { key, destination, subject, link: '', severity: 'info', eventAtMs: nowMs } as const;
  return kind === 'webhook' ? { ...about, body: JSON.stringify({ test: true, text: body }) } : { ...about, body };
}

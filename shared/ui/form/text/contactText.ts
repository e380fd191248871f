// Mail addresses and phone numbers as people type them. Pure.
import { EMAIL_PATTERN, MAX_EMAIL_LENGTH, PHONE_PATTERN } from '../../../protocol/api/notify/ownNotify.ts';

const EMAIL = new RegExp(EMAIL_PATTERN, 'u');
const PHONE = new RegExp(PHONE_PATTERN, 'u');

/** None at all is right too. */
export function isEmailAddress(typed: string): boolean {
  const text = typed.trim();
  return text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);
}

/** Without what people write between the digits; full-width digits of an input method are digits, and 00 stands for +. */
export function phoneNumberOf(typed: string): string {
  return typed
    .normalize('NFKC')
    .replace(/[\s().\-\u2010-\u2015]/gu, '')
    .replace(/^00/, '+');
}

/** None at all is right too. */
export function isPhoneNumber(typed: string): boolean {
  return PHONE.test(phoneNumberOf(typed));
}

// Where a test is sent to. Pure.
import type { SenderKind } from '../../../../shared/protocol/notify/notifyWords.ts';
import { isEmailAddress, isPhoneNumber, phoneNumberOf } from '../../../../shared/ui/form/text/contactText.ts';

/** `none`: to the service, or to the caller's own browsers. */
export function testAddressKind(kind: SenderKind): 'email' | 'phone' | 'none' {
  if (kind === 'email') return 'email';
  return kind === 'sms' ? 'phone' : 'none';
}

export function addressOf(kind: SenderKind, typed: string): string {
  const wanted = testAddressKind(kind);
  if (wanted === 'none') return '';
  return wanted === 'phone' ? phoneNumberOf(typed) : typed.trim();
}

export function isTestAddress(kind: SenderKind, typed: string): boolean {
  const wanted = testAddressKind(kind);
  if (wanted === 'none') return true;
  return typed.trim() !== '' && (wanted === 'phone' ? isPhoneNumber(typed) : isEmailAddress(typed));
}

import { describe, expect, it, test } from 'vitest';
import { isEmailAddress, isPhoneNumber, phoneNumberOf } from '../../../../../shared/ui/form/text/contactText.ts';

describe('a mail address', () => {
  it.each(['', ' ', 'ann@example.com', ' ann+alarm@mail.example.co.jp ', 'müller@example.com'])(
    'is right: %j',
    (text) => {
      expect(isEmailAddress(text)).toBe(true);
    },
  );
  it.each([
    'ann',
    'ann@',
    '@example.com',
    'a@b@c',
    'a b@example.com',
    'a@example.com, b@example.com',
    'Ann <ann@example.com>',
    `${'a'.repeat(250)}@b.de`,
  ])('is none: %j', (text) => {
    expect(isEmailAddress(text)).toBe(false);
  });
});

test('a phone number is read as people write it', () => {
  expect(phoneNumberOf(' +886 912-345-678 ')).toBe('+886912345678');
  expect(phoneNumberOf('00 49 (151) 12.34.56.78')).toBe('+4915112345678');
  expect(phoneNumberOf('＋８１ ３‐１２３４‐５６７８')).toBe('+81312345678');
  expect(['', '+886 912 345 678', '00886912345678'].map(isPhoneNumber)).toEqual([true, true, true]);
  expect(['0912345678', '+012345678', '+123', '+1234567890123456', '+49x'].map(isPhoneNumber)).toEqual(
    Array(5).fill(false),
  );
});

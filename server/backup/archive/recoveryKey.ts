// The recovery key in the form in which people write it down: groups of letters and digits with a checksum.
import { createHash } from 'node:crypto';

/** Base32 of RFC 4648: without 0 and 1, which are mistaken for letters. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const KEY_BYTES = 32;
/** Checksum size: with the key it makes 35 bytes, which are 56 letters in 14 groups. */
const CHECKSUM_BYTES = 3;
const GROUP = 4;
const BITS = 5;

export function writeRecoveryKey(key: Uint8Array): string {
  const letters = encode(Buffer.concat([key, checksumOf(key)]));
  return (letters.match(new RegExp(`.{${GROUP}}`, 'g')) ?? []).join('-');
}

/** Case, spaces and dashes don't matter. Undefined: mistyped. */
export function readRecoveryKey(text: string): Buffer | undefined {
  const letters = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('0', 'O').replaceAll('1', 'I');
  if (letters.length !== ((KEY_BYTES + CHECKSUM_BYTES) * 8) / BITS) return undefined;
  const bytes = decode(letters);
  const key = bytes?.subarray(0, KEY_BYTES);
  return key !== undefined && bytes?.subarray(KEY_BYTES).equals(checksumOf(key)) === true ? key : undefined;
}

function checksumOf(key: Uint8Array): Buffer {
  return createHash('sha256').update('fleetglass recovery key').update(key).digest().subarray(0, CHECKSUM_BYTES);
}

function encode(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]).join('');
}

function decode(letters: string): Buffer | undefined {
  const values = [...letters].map((letter) => ALPHABET.indexOf(letter));
  if (values.includes(-1)) return undefined;
  const bits = values.map((value) => value.toString(2).padStart(BITS, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}

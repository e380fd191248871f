// Text on the wire is GBK.
import { gbkCodeOf } from '../../../../shared/protocol/codec/gbk.ts';

const decoder = new TextDecoder('gbk');
const QUESTION_MARK = 0x3f;
/** Windows' own, beside GBK. */
const EURO = 0x80;

/** Total: bytes that are no GBK become U+FFFD. */
export function decodeGbk(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/**
 * For names that a terminal has given and hears again. Byte 0x80, which decodes as the euro sign, goes back as it came: the terminal
 * would not know its file otherwise.
 */
export function encodeEchoed(text: string): Uint8Array {
  const parts = text.split('€').map((part) => [...encodeGbk(part)]);
  return Uint8Array.from(parts.flatMap((part, at) => (at === 0 ? part : [EURO, ...part])));
}

/** Characters that GBK does not have, the euro sign among them, become a question mark. */
export function encodeGbk(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const code = gbkCodeOf(character) ?? QUESTION_MARK;
    if (code > 0xff) bytes.push(code >> 8);
    bytes.push(code & 0xff);
  }
  return Uint8Array.from(bytes);
}

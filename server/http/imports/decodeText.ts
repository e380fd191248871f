// The encoding of a file. What the file declares comes first, what its bytes prove second, and a guess last.
import { IMPORT_ENCODINGS, type ImportEncoding } from '../../../shared/protocol/api/imports/importEncodings.ts';
import { guessEncoding } from './guessEncoding.ts';

export interface DecodedText {
  readonly encoding: ImportEncoding;
  readonly text: string;
  /** Neither the file nor the caller names the encoding, and other encodings fit as well. */
  readonly isGuess: boolean;
}

/** Undefined when the bytes are text in none of the encodings, or not in the one that was asked for. */
export function decodeText(bytes: Uint8Array, requested?: ImportEncoding): DecodedText | undefined {
  if (isUtf32(bytes)) return undefined;
  if (requested !== undefined) return certain(decodeAs(bytes, requested), requested);
  const marked = encodingOfMark(bytes);
  if (marked !== undefined) return certain(decodeAs(bytes, marked), marked);
  const zeros = encodingOfZeros(bytes);
  if (zeros !== undefined) return certain(decodeAs(bytes, zeros), zeros);
  const declared = declaredEncoding(bytes);
  if (declared === 'unknown') return undefined;
  for (const encoding of declared === undefined ? provable(bytes) : [declared]) {
    const text = decodeAs(bytes, encoding);
    if (text !== undefined) return { encoding, text, isGuess: false };
  }
  const guessed = guessEncoding(bytes, decodeAs);
  return guessed && { ...guessed, isGuess: true };
}

function certain(text: string | undefined, encoding: ImportEncoding): DecodedText | undefined {
  return text === undefined ? undefined : { encoding, text, isGuess: false };
}

/** Few texts in another encoding are UTF-8 by chance, and none has the escape sequences of ISO-2022-JP. */
function provable(bytes: Uint8Array): readonly ImportEncoding[] {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes('\u001b$')
    ? ['iso-2022-jp', 'utf-8']
    : ['utf-8'];
}

/** Its little-endian mark begins as that of UTF-16 does, which has no text with a zero behind it. No decoder of the platform reads it. */
function isUtf32([first, second, third, fourth]: Uint8Array): boolean {
  const isLittleEndian = first === 0xff && second === 0xfe && third === 0 && fourth === 0;
  return isLittleEndian || (first === 0 && second === 0 && third === 0xfe && fourth === 0xff);
}

function encodingOfMark([first, second, third]: Uint8Array): ImportEncoding | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** Bytes: if a file's beginning doesn't tell, its end wouldn't either. */
const HEAD_LENGTH = 1_024;
/** Share of the pairs of bytes with a zero on one side. Names of columns and tags are ASCII; names of places may be longer. */
const LEAST_ZEROS = 0.2;
/** How many times as many zeros one side has as the other. A few characters, such as U+4E00, have theirs on the other side. */
const LEAST_RATIO = 4;

/** UTF-16 without a byte order mark: one byte of each ASCII character is zero, and on the same side. Text has no U+0000. */
function encodingOfZeros(bytes: Uint8Array): ImportEncoding | undefined {
  const head = bytes.subarray(0, HEAD_LENGTH);
  const pairs = head.length >> 1;
  let [even, odd] = [0, 0];
  for (let at = 0; at < pairs; at++) {
    const [first, second] = [head[2 * at], head[2 * at + 1]];
    if (first === 0 && second === 0) return undefined;
    if (first === 0) even++;
    if (second === 0) odd++;
  }
  if (Math.max(even, odd) <= pairs * LEAST_ZEROS) return undefined;
  if (odd >= even * LEAST_RATIO) return 'utf-16le';
  return even >= odd * LEAST_RATIO ? 'utf-16be' : undefined;
}

const XML_DECLARATION = /^\s{0,64}<\?xml\s([^>]{0,256})\?>/;
const XML_ENCODING = /\sencoding\s{0,16}=\s{0,16}["']([\w.:-]{1,40})["']/;

/** What an XML declaration names. `unknown`: an encoding that can't be read. */
function declaredEncoding(bytes: Uint8Array): ImportEncoding | 'unknown' | undefined {
  const head = Buffer.from(bytes.subarray(0, HEAD_LENGTH)).toString('latin1');
  const [, declaration = ''] = XML_DECLARATION.exec(head) ?? [];
  const [, label] = XML_ENCODING.exec(` ${declaration}`) ?? [];
  if (label === undefined) return undefined;
  const encoding = encodingNamed(label);
  // A declaration that reads as ASCII is not in UTF-16: the text was saved again, and the declaration left unchanged.
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return undefined;
  return encoding ?? 'unknown';
}

function encodingNamed(label: string): ImportEncoding | undefined {
  try {
    const { encoding } = new TextDecoder(label);
    return IMPORT_ENCODINGS.find((each) => each === encoding);
  } catch {
    return undefined;
  }
}

const DOUBLE_BYTE: ReadonlySet<ImportEncoding> = new Set([
  'big5',
  'shift_jis',
  'gbk',
  'gb18030',
  'euc-jp',
  'iso-2022-jp',
  'euc-kr',
]);
/** The platform's decoders of double-byte encodings take single bytes that have no character, and give these for them. */
const NO_CHARACTER = /[\u0080-\u009f\uf8f0-\uf8ff]/;

/** Without its byte order mark; undefined for bytes that are no text in the encoding. */
function decodeAs(bytes: Uint8Array, encoding: ImportEncoding): string | undefined {
  if (encoding === 'windows-1252') return decodeWindows1252(bytes);
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return DOUBLE_BYTE.has(encoding) && NO_CHARACTER.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Bytes 0x80 to 0x9f by the Encoding Standard. Some versions of Node give control characters for them. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const FIRST_OF_TABLE = 0x80;

function decodeWindows1252(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return text.replaceAll(
    /[\u0080-\u009f]/g,
    (sign) => WINDOWS_1252.charAt(sign.charCodeAt(0) - FIRST_OF_TABLE) || sign,
  );
}

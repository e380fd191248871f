// How many messages a text costs: 3GPP TS 23.038 (alphabets) and 23.040 (texts of several parts).

/** `ucs2`: as soon as one character is not in the GSM alphabet. */
export type SmsAlphabet = 'gsm7' | 'ucs2';

export interface SmsSize {
  readonly alphabet: SmsAlphabet;
  /** Septets or UTF-16 code units: a character of the extension table counts twice. */
  readonly units: number;
  readonly segments: number;
  /** Units that still fit into the last segment. */
  readonly unitsLeft: number;
}

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const EXTENDED = new Set('\f^{}\\[~]|€');

/** A part of a longer text has six bytes of header. */
const CAPACITY = { gsm7: { alone: 160, part: 153 }, ucs2: { alone: 70, part: 67 } } as const;

export function alphabetOf(text: string): SmsAlphabet {
  for (const character of text) if (!BASIC.has(character) && !EXTENDED.has(character)) return 'ucs2';
  return 'gsm7';
}

export function smsSize(text: string): SmsSize {
  const alphabet = alphabetOf(text);
  const segments = splitSms(text);
  const units = unitsOf(text, alphabet);
  const { alone, part } = CAPACITY[alphabet];
  const capacity = segments.length > 1 ? part : alone;
  return { alphabet, units, segments: segments.length, unitsLeft: capacity - unitsOf(segments.at(-1) ?? '', alphabet) };
}

/** The texts of the segments, none for ''. No character is split, so a segment may be shorter than it could be. */
export function splitSms(text: string): readonly string[] {
  if (text === '') return [];
  const alphabet = alphabetOf(text);
  const { alone, part } = CAPACITY[alphabet];
  if (unitsOf(text, alphabet) <= alone) return [text];
  const segments: string[] = [];
  let current = '';
  let used = 0;
  for (const character of text) {
    const units = unitsOf(character, alphabet);
    if (used + units > part) {
      segments.push(current);
      current = '';
      used = 0;
    }
    current += character;
    used += units;
  }
  return [...segments, current];
}

/** The text, or as much of its beginning as fits into this many segments. */
export function cutSms(text: string, maxSegments: number): string {
  const segments = splitSms(text);
  return segments.length <= maxSegments ? text : segments.slice(0, maxSegments).join('');
}

function unitsOf(text: string, alphabet: SmsAlphabet): number {
  if (alphabet === 'ucs2') return text.length;
  let units = 0;
  for (const character of text) units += EXTENDED.has(character) ? 2 : 1;
  return units;
}

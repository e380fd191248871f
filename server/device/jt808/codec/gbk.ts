// Text on the wire is GBK. The platform decodes it; its encoder is the decoder turned round.
const decoder = new TextDecoder('gbk');
const QUESTION_MARK = 0x3f;
const LAST_ASCII = 0x7f;

let codes: ReadonlyMap<string, number> | undefined;

/** Total: bytes that are no GBK become U+FFFD. */
export function decodeGbk(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** Characters that GBK does not have become a question mark. */
export function encodeGbk(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const code = codeOf(character);
    if (code > 0xff) bytes.push(code >> 8);
    bytes.push(code & 0xff);
  }
  return Uint8Array.from(bytes);
}

function codeOf(character: string): number {
  const point = character.codePointAt(0) ?? QUESTION_MARK;
  if (point <= LAST_ASCII) return point;
  codes ??= buildCodes();
  return codes.get(character) ?? QUESTION_MARK;
}

/** Every code of the double-byte range decoded once; the first code wins where two decode alike. */
function buildCodes(): ReadonlyMap<string, number> {
  const strict = new TextDecoder('gbk', { fatal: true });
  // The one single byte above ASCII. It comes first, so that text never grows when it goes out as it came in.
  const table = new Map<string, number>([['€', 0x80]]);
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      const character = decodeCode(strict, lead, trail);
      if (character !== undefined && !table.has(character)) table.set(character, (lead << 8) | trail);
    }
  }
  return table;
}

function decodeCode(strict: InstanceType<typeof TextDecoder>, lead: number, trail: number): string | undefined {
  try {
    const text = strict.decode(Uint8Array.of(lead, trail));
    // A trail byte that belongs to no code decodes as a character of its own.
    return [...text].length === 1 ? text : undefined;
  } catch {
    return undefined;
  }
}

// Text as terminals take it: GBK. The platform decodes it; its encoder is the decoder turned round.

const LAST_ASCII = 0x7f;
/** Codes that a user may give a meaning: Unicode keeps a private area for them, and no font has their characters. */
const PRIVATE_AREA = { from: 0xe000, to: 0xf8ff } as const;

let codes: ReadonlyMap<string, number> | undefined;

/**
 * The one or two bytes of a character; undefined where GBK has none. The decoder also knows 0x80 as the euro sign, by a habit of
 * Windows: terminals don't.
 */
export function gbkCodeOf(character: string): number | undefined {
  const point = character.codePointAt(0) ?? 0;
  if (point <= LAST_ASCII) return point;
  codes ??= buildCodes();
  return codes.get(character);
}

/** Characters of a text that no terminal can be sent, each once. */
export function charactersBeyondGbk(text: string): string[] {
  return [...new Set(text)].filter((character) => gbkCodeOf(character) === undefined || isPrivate(character));
}

function isPrivate(character: string): boolean {
  const point = character.codePointAt(0) ?? 0;
  return point >= PRIVATE_AREA.from && point <= PRIVATE_AREA.to;
}

/** Every code of the double-byte range decoded once; the first code wins where two decode alike. */
function buildCodes(): ReadonlyMap<string, number> {
  const strict = new TextDecoder('gbk', { fatal: true });
  const table = new Map<string, number>();
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

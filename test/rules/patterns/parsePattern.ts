// A regular expression as a tree, as far as its running time goes: which characters each part takes, and how often.

/** Some of the characters that a part takes, of those in `SAMPLE`. */
export type CharSet = ReadonlySet<string>;

export type PatternNode =
  | { readonly kind: 'characters'; readonly set: CharSet }
  | { readonly kind: 'group'; readonly alternatives: readonly (readonly PatternNode[])[] }
  /** The beginning of the text. */
  | { readonly kind: 'start' }
  /** Takes nothing, and may fail. */
  | { readonly kind: 'assertion' }
  /** `max` of Infinity: without a bound. */
  | { readonly kind: 'repeat'; readonly node: PatternNode; readonly min: number; readonly max: number };

/** Two parts that have none of these in common have no other character in common, in the patterns that people write. */
const SAMPLE: readonly string[] = [
  ...Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)),
  ...['\u2028', '\u200b', '\ufeff', '\uff11', '\uff1d', 'あ', 'ア', '漢', 'К', 'ß', '\ud83d', '\ud83d\ude00'],
];

export function parsePattern(source: string, flags: string): readonly (readonly PatternNode[])[] {
  return new PatternParser(source, flags).alternatives();
}

class PatternParser {
  readonly #source: string;
  readonly #flags: string;
  #at = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags.replaceAll(/[gydv]/g, (flag) => (flag === 'v' ? 'v' : ''));
  }

  alternatives(): PatternNode[][] {
    const found: PatternNode[][] = [[]];
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') {
      if (this.#source[this.#at] === '|') {
        this.#at++;
        found.push([]);
      } else found.at(-1)?.push(this.#quantified(this.#atom()));
    }
    return found;
  }

  #quantified(node: PatternNode): PatternNode {
    const [all, sign = '', least = '', comma = '', most = ''] =
      /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at)) ?? [];
    if (all === undefined) return node;
    this.#at += all.length;
    if (sign === '?') return { kind: 'repeat', node, min: 0, max: 1 };
    if (sign !== '') return { kind: 'repeat', node, min: sign === '+' ? 1 : 0, max: Number.POSITIVE_INFINITY };
    const min = Number(least);
    const max = comma === '' ? min : most === '' ? Number.POSITIVE_INFINITY : Number(most);
    return { kind: 'repeat', node, min, max };
  }

  #atom(): PatternNode {
    const rest = this.#source.slice(this.#at);
    if (rest.startsWith('(')) return this.#group(rest);
    if (rest.startsWith('[')) return this.#characters(classAt(rest));
    if (rest.startsWith('^')) return this.#zeroWidth(1, this.#flags.includes('m') ? 'assertion' : 'start');
    if (rest.startsWith('$')) return this.#zeroWidth(1, 'assertion');
    if (/^\\[bB]/.test(rest)) return this.#zeroWidth(2, 'assertion');
    const escaped = /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|.)/s.exec(rest);
    return this.#characters(escaped?.[0] ?? String.fromCodePoint(rest.codePointAt(0) ?? 0));
  }

  #group(rest: string): PatternNode {
    const [head = '('] = /^\((?:\?(?:<?[=!]|:|<[^>]*>))?/.exec(rest) ?? [];
    this.#at += head.length;
    const alternatives = this.alternatives();
    this.#at++;
    return /[=!]$/.test(head) ? { kind: 'assertion' } : { kind: 'group', alternatives };
  }

  #zeroWidth(length: number, kind: 'assertion' | 'start'): PatternNode {
    this.#at += length;
    return { kind };
  }

  #characters(source: string): PatternNode {
    this.#at += source.length;
    const one = new RegExp(`^(?:${source})$`, this.#flags);
    return { kind: 'characters', set: new Set(SAMPLE.filter((each) => one.test(each))) };
  }
}

/** The class that the text begins with, its brackets included. */
function classAt(text: string): string {
  let at = 1;
  while (at < text.length && text[at] !== ']') at += text[at] === '\\' ? 2 : 1;
  return text.slice(0, at + 1);
}

// Where a text stops being JSON. `JSON.parse` says so in words that differ from browser to browser, and in some not at all.

const TOKEN =
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\u007f|[\u0080-\u009f])*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/uy;
const BLANKS = /[ \t\r\n]*/y;

/** What may come next. */
type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end' | 'nothing';

/** Index of the first character that no JSON text goes on with; the length of the text where it ends too early. */
export function jsonProblemAt(text: string): number | undefined {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const start = afterBlanks(text, at);
    const match = TOKEN.exec(text);
    if (match === null) break;
    const [, mark, string] = match;
    const next = follow(expected, { mark, isString: string !== undefined }, open);
    if (next === undefined) return start;
    expected = next;
    at = TOKEN.lastIndex;
  }
  const end = afterBlanks(text, at);
  return expected === 'nothing' && end === text.length ? undefined : end;
}

function afterBlanks(text: string, at: number): number {
  BLANKS.lastIndex = at;
  BLANKS.exec(text);
  return BLANKS.lastIndex;
}

interface Token {
  readonly mark: string | undefined;
  readonly isString: boolean;
}

/** Undefined for a token that may not stand here. Keeps `open` up to date. */
function follow(expected: Expected, { mark, isString }: Token, open: ('{' | '[')[]): Expected | undefined {
  const afterValue = () => (open.length === 0 ? 'nothing' : 'comma-or-end');
  switch (expected) {
    case 'value':
    case 'value-or-end':
      if (mark === undefined) return afterValue();
      if (mark === '{' || mark === '[') {
        open.push(mark);
        return mark === '{' ? 'key-or-end' : 'value-or-end';
      }
      return expected === 'value-or-end' && mark === ']' ? closed(open) : undefined;
    case 'key':
    case 'key-or-end':
      if (isString) return 'colon';
      return expected === 'key-or-end' && mark === '}' ? closed(open) : undefined;
    case 'colon':
      return mark === ':' ? 'value' : undefined;
    case 'comma-or-end': {
      const isObject = open.at(-1) === '{';
      if (mark === ',') return isObject ? 'key' : 'value';
      return mark === (isObject ? '}' : ']') ? closed(open) : undefined;
    }
    case 'nothing':
      return undefined;
  }
}

function closed(open: ('{' | '[')[]): Expected {
  open.pop();
  return open.length === 0 ? 'nothing' : 'comma-or-end';
}

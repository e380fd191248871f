// Comments and log lines that open as no English sentence does: what they are about stands in the code beside them, or nowhere.
import { type Comment, parseSync, Visitor } from 'oxc-parser';

export interface Opening {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

const OPENING = /^(Of|As|By which|So many|That|Those|What becomes)\b/i;
/** What opens with one of these words and goes on as English does. */
const RIGHT = /^(Of course\b|As (long|soon|far) as [^.]*,|That is why\b|That way\b)/i;
const LEVELS: ReadonlySet<string> = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);
const MAY_LOG = new RegExp(`\\b(${[...LEVELS].join('|')})\\s*\\(`);

/** The comments that open so; `//` lines below each other are one comment. */
export function findOpenings(path: string, source: string): Opening[] {
  return commentsIn(source, parseSync(path, source).comments).filter(({ text }) => isOdd(text));
}

/** The texts of log calls that open so. */
export function findLogOpenings(path: string, source: string): Opening[] {
  const found: Opening[] = [];
  // Most files log nothing, and parsing all of them takes seconds.
  if (!MAY_LOG.test(source)) return found;
  new Visitor({
    CallExpression(node) {
      const { callee, arguments: given } = node;
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      if (!LEVELS.has(callee.property.name)) return;
      for (const argument of given) {
        const text = textOf(argument);
        if (text !== undefined && isOdd(text)) found.push({ line: lineAt(source, argument.start), text });
      }
    },
  }).visit(parseSync(path, source).program);
  return found;
}

function isOdd(text: string): boolean {
  return OPENING.test(text) && !RIGHT.test(text);
}

/** A literal, or the literal beginning of a template. */
function textOf(node: { readonly type: string }): string | undefined {
  if (node.type === 'Literal' && 'value' in node) return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateLiteral' || !('quasis' in node)) return undefined;
  const [first] = node.quasis as readonly { readonly value: { readonly raw: string } }[];
  return first?.value.raw;
}

function commentsIn(source: string, comments: readonly Comment[]): Opening[] {
  const found: { line: number; text: string }[] = [];
  let before: Comment | undefined;
  for (const comment of comments) {
    const text = comment.value
      .replace(/^[*\s]+/gm, '')
      .replace(/\s+/g, ' ')
      .trim();
    const last = found.at(-1);
    const goesOn =
      before?.type === 'Line' && comment.type === 'Line' && isOneBreak(source.slice(before.end, comment.start));
    if (goesOn && last !== undefined) last.text += ` ${text}`;
    else found.push({ line: lineAt(source, comment.start), text });
    before = comment;
  }
  return found;
}

const isOneBreak = (between: string): boolean => /^[ \t]*\r?\n[ \t]*$/.test(between);

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length;
}

// The change log as blocks of plain text: only the Markdown that it uses. Pure.

export type ChangeBlock =
  | { readonly kind: 'version' | 'group' | 'topic' | 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] };

const MARKS = [
  ['version', /^## (.*)$/],
  ['group', /^### (.*)$/],
  ['topic', /^\*\*([^*]+)\*\*$/],
] as const;
const ITEM = /^- (.*)$/;

export function changeBlocks(markdown: string): readonly ChangeBlock[] {
  return markdown
    .replace(/^#.*$/gm, '\n$&\n')
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map(blockOf);
}

function blockOf(part: string): ChangeBlock {
  const lines = part.trim().split('\n');
  if (ITEM.test(lines[0] ?? '')) return { kind: 'list', items: itemsOf(lines) };
  const whole = joined(lines);
  for (const [kind, mark] of MARKS) {
    const text = mark.exec(whole)?.[1];
    if (text !== undefined) return { kind, text: plainText(text) };
  }
  return { kind: 'paragraph', text: plainText(whole) };
}

/** A line without a mark continues the item before it. */
function itemsOf(lines: readonly string[]): readonly string[] {
  const items: string[][] = [];
  for (const line of lines) {
    const first = ITEM.exec(line)?.[1];
    if (first !== undefined) items.push([first]);
    else items.at(-1)?.push(line);
  }
  return items.map((item) => plainText(joined(item)));
}

const joined = (lines: readonly string[]): string => lines.map((line) => line.trim()).join(' ');

/** Links lead to files beside the change log, which a browser doesn't have: their words stay. */
function plainText(text: string): string {
  return text
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replace(/`([^`]+)`/g, '$1')
    .replace(/\*\*([^*]+)\*\*/g, '$1');
}

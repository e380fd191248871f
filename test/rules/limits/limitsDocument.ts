import type { DeclaredLimit } from './findLimits.ts';
import { maximumText } from './maximumText.ts';

const INTRODUCTION = `# Limits

Everything that a browser, a terminal or an unknown client on the network can make grow is limited. The tables say what each limit bounds, and
what happens at it; \`fleetglass_limit_reached_total{limit="<name>"}\` counts how often it was reached. The numbers are built in, except where a
setting is named. What *shared by member groups* means is in [operation.md](operation.md#limits).

\`npm run fix\` writes this file from the \`Limit\` constants of the sources and the comments above them.
`;

/** docs/limits.md: a table for each first word of the names. */
export function limitsDocument(limits: readonly DeclaredLimit[]): string {
  const subjects = [...new Set(limits.map(subjectOf))];
  const sections = subjects.map((subject) => {
    const rows = limits.filter((limit) => subjectOf(limit) === subject).map(rowOf);
    return `\n## ${subject}\n\n| Name | Maximum | What it bounds, and what happens at the limit |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return INTRODUCTION + sections.join('');
}

/** Name and maximum of each limit in the document. */
export function limitsIn(document: string): readonly { readonly name: string; readonly maximum: string }[] {
  const rows = [...document.matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)];
  return rows.map(([, name = '', maximum = '']) => ({ name, maximum }));
}

function subjectOf({ name }: DeclaredLimit): string {
  return name.split('.')[0] ?? '';
}

function rowOf({ name, max, text }: DeclaredLimit): string {
  return `| \`${name}\` | ${maximumText(name, max)} | ${text.replaceAll('|', '\\|')} |`;
}

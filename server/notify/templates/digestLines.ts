import type { Limit } from '../../limits/limit.ts';

/** Events that a digest names; of those beyond it only how many there are. */
export const DIGEST_LINES_LIMIT: Limit = { name: 'notify.digest.lines', max: 50 };

export interface DigestLine {
  readonly time: string;
  readonly type: string;
  readonly device: string;
}

/** With the line about the rest they fit into what one value may be: its end would be cut off, and that line with it. */
const MAX_CHARACTERS = 3_800;

/** `andMore`: with `{{count}}`, what is said of those that are not named. */
export function digestLines(lines: readonly DigestLine[], andMore: string): string {
  const named = fitting(
    lines.slice(0, DIGEST_LINES_LIMIT.max).map(({ time, type, device }) => `${time} ${type}, ${device}`),
  );
  const rest = lines.length - named.length;
  return (rest === 0 ? named : [...named, andMore.replace('{{count}}', () => String(rest))]).join('\n');
}

function fitting(lines: readonly string[]): readonly string[] {
  let characters = 0;
  const end = lines.findIndex((line) => {
    characters += line.length + 1;
    return characters > MAX_CHARACTERS;
  });
  return end < 0 ? lines : lines.slice(0, end);
}

import type { Limit } from '../../limits/limit.ts';

/** Events that a digest names. It says how many further ones there are. */
export const DIGEST_LINES_LIMIT: Limit = { name: 'notify.digest.lines', max: 50 };

export interface DigestLine {
  readonly time: string;
  readonly type: string;
  readonly device: string;
}

/** Maximum length, so that the lines and the one about the rest fit into one value: otherwise that last line would be cut off. */
const MAX_CHARACTERS = 3_800;

/** `andMore`: text with `{{count}}` about the events that are not named. */
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

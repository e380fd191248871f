import type { Limit } from '../../limits/limit.ts';

/** Events that a digest names; of those beyond it only how many there are. */
export const DIGEST_LINES_LIMIT: Limit = { name: 'notify.digest.lines', max: 50 };

export interface DigestLine {
  readonly time: string;
  readonly type: string;
  readonly device: string;
}

/** `andMore`: with `{{count}}`, what is said of those that are not named. */
export function digestLines(lines: readonly DigestLine[], andMore: string): string {
  const named = lines.slice(0, DIGEST_LINES_LIMIT.max).map(({ time, type, device }) => `${time} ${type}, ${device}`);
  const rest = lines.length - named.length;
  return (rest === 0 ? named : [...named, andMore.replace('{{count}}', () => String(rest))]).join('\n');
}

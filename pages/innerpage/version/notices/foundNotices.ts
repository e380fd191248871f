import type { Notice } from '../../../../shared/protocol/api/system/notices.ts';

/** Those in whose name or license each of the words occurs. */
export function foundNotices(notices: readonly Notice[], search: string): readonly Notice[] {
  const words = search.toLowerCase().split(/\s+/);
  return notices.filter(({ name, license }) => {
    const text = `${name} ${license}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

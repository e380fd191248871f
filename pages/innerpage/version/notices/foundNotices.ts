import type { Notice } from '../../../../shared/protocol/api/system/notices.ts';

/** The notices whose name or license contains each of the words. */
export function foundNotices(notices: readonly Notice[], search: string): readonly Notice[] {
  const words = search.toLowerCase().split(/\s+/);
  return notices.filter(({ name, license }) => {
    const text = `${name} ${license}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

import { listText } from '../../../../shared/i18n/listText.ts';

/** The first few, and how many more there are: `Lin, Chen +3`. */
export function shortList(names: readonly string[], shown = 2): string {
  const listed = listText(names.slice(0, shown));
  const more = names.length - shown;
  return more > 0 ? `${listed} +${more}` : listed;
}

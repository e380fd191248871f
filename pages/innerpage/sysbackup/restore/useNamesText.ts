import { useTranslation } from 'react-i18next';
import { listText } from '../../../../shared/i18n/listText.ts';
import type { NameList } from '../../../../shared/protocol/api/system/restore.ts';
import { unnamed } from './changedTables.ts';

/** How many there are, with the names of the first of them. */
export function useNamesText(): (list: NameList) => string {
  const { t, i18n } = useTranslation('SystemBackup');
  const numbers = new Intl.NumberFormat(i18n.language);
  return (list) => {
    if (list.count === 0) return t('None');
    const names = listText(list.names);
    const number = numbers.format(list.count);
    return unnamed(list) > 0 ? t('{{number}}, including {{names}}', { number, names }) : `${number} · ${names}`;
  };
}

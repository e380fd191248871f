import { useTranslation } from 'react-i18next';
import { LANGUAGES } from '../../../shared/i18n/languages.ts';
import { listText } from '../../../shared/i18n/listText.ts';
import { senderKindText } from '../../../shared/i18n/notifyWordText.ts';
import type { Template } from '../../../shared/protocol/api/notify/templates.ts';
import { formatTimestamp } from '../../../shared/time/format.ts';
import { useUserZone } from '../../../shared/time/userZone.ts';
import type { Column } from '../../../shared/ui/table/column.ts';

export function useTemplateColumns(): readonly Column<Template>[] {
  const { t } = useTranslation(['Template', 'NotifyWords']);
  const zone = useUserZone();
  return [
    { name: 'name', title: t('Name'), text: ({ name }) => name, sortable: true, minWidth: 180 },
    { name: 'kind', title: t('Kind'), text: ({ kind }) => senderKindText(kind), sortable: true, width: 150 },
    { name: 'languages', title: t('Languages'), text: languagesOf, minWidth: 180 },
    {
      name: 'changedAtMs',
      title: t('Changed'),
      text: ({ changedAtMs }) => formatTimestamp(changedAtMs, zone),
      sortable: true,
      isTimestamp: true,
      width: 170,
    },
    { name: 'changedBy', title: t('Changed by'), text: ({ changedBy }) => changedBy, width: 130 },
  ];
}

/** By their own names, the fallback language first. */
function languagesOf({ texts, fallback }: Template): string {
  const present = LANGUAGES.filter(({ locale }) => texts[locale] !== undefined);
  const [first, others] = [
    present.filter(({ locale }) => locale === fallback),
    present.filter(({ locale }) => locale !== fallback),
  ];
  return listText([...first, ...others].map(({ name }) => name));
}

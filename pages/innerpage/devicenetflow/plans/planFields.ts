import { useTranslation } from 'react-i18next';
import { planActionText } from '../../../../shared/i18n/netflowText.ts';
import type { RecordFields } from '../../../../shared/ui/form/recordFields.ts';
import type { PlanDraft } from './planForm.ts';

export const NUMBER = new Intl.NumberFormat('en-US');

/** The fields of a data plan, as its form, its table and a conflict show them. */
export function usePlanFields(): RecordFields<PlanDraft> {
  const { t } = useTranslation('Netflow');
  return {
    name: { label: t('Name'), show: ({ name }) => name, column: { sortable: true, minWidth: 160 } },
    megabytes: {
      label: t('Size (MB)'),
      show: ({ megabytes }) => (megabytes === null ? '' : NUMBER.format(megabytes)),
      column: { sortable: true, width: 120, align: 'right' },
    },
    resetDay: {
      label: t('Starts over on day'),
      show: ({ resetDay }) => resetDay,
      column: { width: 150, align: 'right' },
    },
    timeZone: { label: t('Time zone'), show: ({ timeZone }) => timeZone.replaceAll('_', ' '), column: { width: 150 } },
    action: { label: t('When used up'), show: ({ action }) => planActionText(action), column: { minWidth: 190 } },
    price: { label: t('Price'), show: ({ price }) => price, column: { width: 130 } },
  };
}

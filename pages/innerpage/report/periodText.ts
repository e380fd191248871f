import { useTranslation } from 'react-i18next';
import type { ReportJob } from '../../../shared/protocol/api/reports/reports.ts';
import type { ReportPeriod } from '../../../shared/protocol/reports/reportWords.ts';
import { formatTimestamp } from '../../../shared/time/format.ts';

export function usePeriodNames(): Readonly<Record<ReportPeriod, string>> {
  const { t } = useTranslation('ReportPage');
  return {
    today: t('Today'),
    yesterday: t('Yesterday'),
    'this-week': t('This week'),
    'last-week': t('Last week'),
    'this-month': t('This month'),
    'last-month': t('Last month'),
    'from-to': t('Time range'),
  };
}

/** What the period of a report came to, in its own zone: whole days as their dates. */
export function spanText({ fromMs, toMs, parameters }: Pick<ReportJob, 'fromMs' | 'toMs' | 'parameters'>): string {
  const from = formatTimestamp(fromMs, parameters.timeZone);
  const to = formatTimestamp(toMs, parameters.timeZone);
  if (!from.endsWith(MIDNIGHT) || !to.endsWith(MIDNIGHT)) return `${from} – ${to}`;
  const first = from.slice(0, DAY_LENGTH);
  const last = formatTimestamp(toMs - 1, parameters.timeZone).slice(0, DAY_LENGTH);
  return first === last ? first : `${first} – ${last}`;
}

const MIDNIGHT = ' 00:00:00';
const DAY_LENGTH = 10;

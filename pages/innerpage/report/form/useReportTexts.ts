import { useTranslation } from 'react-i18next';
import { MAX_REPORT_DAYS } from '../../../../shared/protocol/api/reports/reports.ts';
import type { ReportTexts } from './reportForm.ts';

/** Digits are grouped alike in every language. */
const NUMBER = new Intl.NumberFormat('en-US');

export function useReportTexts(): ReportTexts {
  const { t } = useTranslation('ReportPage');
  return {
    noMoment: t('Enter a date and a time.'),
    endFirst: t('The end must be after the start.'),
    tooLong: t('A report covers at most {{days}} days.', { days: MAX_REPORT_DAYS }),
    range: (minimum, maximum) =>
      t('Enter a whole number from {{min}} to {{max}}.', { min: NUMBER.format(minimum), max: NUMBER.format(maximum) }),
  };
}

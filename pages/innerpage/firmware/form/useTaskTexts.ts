import { useTranslation } from 'react-i18next';
import { useRangeText } from '../words/rangeText.ts';
import type { TaskTexts } from './taskForm.ts';

export function useTaskTexts(): TaskTexts {
  const { t } = useTranslation('Firmware');
  return {
    noName: t('Enter a name.'),
    noImage: t('Select an image.'),
    badStages: t('Enter rising percentages that end with 100, such as 10, 50, 100.'),
    badDay: t('Enter a date, such as 2027-01-31.'),
    endsTooEarly: t('Select a last day that is not before the first.'),
    range: useRangeText(),
  };
}

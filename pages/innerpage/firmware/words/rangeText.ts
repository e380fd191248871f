import { useTranslation } from 'react-i18next';

/** Digits are grouped alike in every language. */
const NUMBER = new Intl.NumberFormat('en-US');

export function useRangeText(): (minimum: number, maximum: number) => string {
  const { t } = useTranslation('Firmware');
  return (minimum, maximum) =>
    t('Enter a whole number from {{min}} to {{max}}.', { min: NUMBER.format(minimum), max: NUMBER.format(maximum) });
}

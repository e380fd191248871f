import { useTranslation } from 'react-i18next';
import type { RuleUnit } from '../../../../shared/protocol/events/ruleSettings.ts';

/** Digits are grouped alike in every language. */
const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

export function numberText(value: number): string {
  return NUMBER.format(value);
}

/** A number and its unit. */
export function useQuantityText(): (value: number, unit: RuleUnit) => string {
  const { t } = useTranslation('EventConfig');
  return (value, unit) => {
    const number = numberText(value);
    switch (unit) {
      case 's':
        return t('{{number}} s', { number });
      case 'min':
        return t('{{number}} min', { number });
      case 'persons':
        return t('Passengers: {{number}}', { number });
      default:
        return `${number} ${unit}`;
    }
  };
}

/** For the label of a field. */
export function useUnitName(): (unit: RuleUnit) => string {
  const { t } = useTranslation('EventConfig');
  return (unit) => {
    switch (unit) {
      case 's':
        return t('s');
      case 'min':
        return t('min');
      case 'persons':
        return t('passengers');
      default:
        return unit;
    }
  };
}

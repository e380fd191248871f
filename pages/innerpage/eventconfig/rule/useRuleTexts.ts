import { useTranslation } from 'react-i18next';
import type { RuleTexts } from './ruleForm.ts';
import { numberText } from './unitText.ts';

export function useRuleTexts(): RuleTexts {
  const { t } = useTranslation('EventConfig');
  return {
    range: (minimum, maximum) =>
      t('Enter a number from {{min}} to {{max}}.', { min: numberText(minimum), max: numberText(maximum) }),
    wholeRange: (minimum, maximum) =>
      t('Enter a whole number from {{min}} to {{max}}.', { min: numberText(minimum), max: numberText(maximum) }),
    noThreshold: t('Enter a threshold or a lower threshold.'),
    noSchedule: t('Add hours, or turn the rule off.'),
  };
}

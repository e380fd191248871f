import { useTranslation } from 'react-i18next';
import type { RuleTexts } from './ruleChecks.ts';

/** Digits are grouped alike in every language. */
const NUMBER = new Intl.NumberFormat('en-US');

export function useRuleTexts(): RuleTexts {
  const { t } = useTranslation('NotifyConfig');
  return {
    noName: t('Enter a name.'),
    range: (minimum, maximum) =>
      t('Enter a whole number from {{min}} to {{max}}.', { min: NUMBER.format(minimum), max: NUMBER.format(maximum) }),
    noSender: t('Select a sender.'),
    noRecipient: t('Select at least one member or role, or enter an address for each sender.'),
    badAddress: (address) => t("{{address}} isn't an email address or a phone number with + and digits.", { address }),
    tooEarly: (minutes) => t('Enter more than {{minutes}}, the time of the step before.', { minutes }),
  };
}

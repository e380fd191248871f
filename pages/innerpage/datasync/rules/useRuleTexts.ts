import { useTranslation } from 'react-i18next';
import type { SyncChoice } from '../../../../shared/protocol/sync/syncWords.ts';
import type { RuleTexts } from './ruleForm.ts';

export function useRuleFormTexts(): RuleTexts {
  const { t } = useTranslation('Datasync');
  return {
    noName: t('Enter a name.'),
    noNetwork: t('Select at least one network.'),
    noNumber: (min, max) => t('Enter a whole number from {{min}} to {{max}}.', { min, max }),
  };
}

export function useNetworkNames(): Readonly<Record<'wifi' | 'lan' | 'mobile', string>> {
  const { t } = useTranslation('Datasync');
  return { wifi: t('Wi-Fi'), lan: t('LAN'), mobile: t('Mobile network') };
}

/** What each choice fetches, in a sentence. */
export function useChoiceHints(): Readonly<Record<SyncChoice, string>> {
  const { t } = useTranslation('Datasync');
  return {
    all: t('All that the device has recorded and the server does not have.'),
    alarms: t('Recordings that the device itself marks with an alarm.'),
    events: t('Recordings around events, as long before and after as the event type says.'),
    ignition: t('Recordings of times in which the ignition was on.'),
    gaps: t('What the server should have recorded and did not, such as in areas without reception.'),
  };
}

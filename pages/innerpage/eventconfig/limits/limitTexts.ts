// The limits, their values and their states in words.

import { useTranslation } from 'react-i18next';
import { eventTypeText } from '../../../../shared/i18n/eventTypeText.ts';
import { listText } from '../../../../shared/i18n/listText.ts';
import type { AlarmLimitState, AlarmLimits } from '../../../../shared/protocol/api/eventConfig.ts';
import { numberText } from '../rule/unitText.ts';
import { type AlarmBit, alarmBitsOf, type MaskName } from './alarmBits.ts';
import { LIMIT_NUMBERS, type LimitName, type LimitNumberName, type LimitsDraft, toShownLimit } from './limitsForm.ts';

export function useLimitNames(): Readonly<Record<LimitName, string>> {
  const { t } = useTranslation('EventConfig');
  return {
    maxSpeedKmh: t('Speed limit (km/h)'),
    speedingSeconds: t('Speeding duration (s)'),
    drivingSeconds: t('Continuous driving (min)'),
    dailyDrivingSeconds: t('Driving time a day (min)'),
    restSeconds: t('Minimum rest (min)'),
    parkedSeconds: t('Parking time (min)'),
    maskedAlarms: t('Alarms turned off'),
    keyAlarms: t('Key alarms'),
    maskedVideoAlarms: t('Video alarms turned off'),
  };
}

/** What a bit stands for; both names where the editions of the protocol differ. */
export function bitText({ types }: AlarmBit): string {
  return types.map(eventTypeText).join(' / ');
}

/** Numbers are in the unit that the limit's name says; '–' for what isn't known. */
export function useLimitValueText(): (name: LimitName, limits: Partial<AlarmLimits> | null) => string {
  const { t } = useTranslation(['EventConfig', 'EventTypes']);
  return (name, limits) => {
    const value = limits?.[name];
    if (value === undefined) return '–';
    if (isNumber(name)) return numberText(toShownLimit(name, value));
    const named = alarmBitsOf(name).filter(({ bit }) => Math.floor(value / 2 ** bit) % 2 === 1);
    return named.length === 0 ? t('None') : listText(named.map(bitText));
  };
}

/** The same of a form's values; '' for an empty field. */
export function useLimitDraftText(): (name: LimitName, draft: LimitsDraft) => string {
  const { t } = useTranslation(['EventConfig', 'EventTypes']);
  return (name, draft) => {
    if (isNumber(name)) {
      const value = draft[name];
      return value === null ? '' : numberText(value);
    }
    const named = alarmBitsOf(name).filter(({ bit }) => draft[name].includes(String(bit)));
    return named.length === 0 ? t('None') : listText(named.map(bitText));
  };
}

function isNumber(name: LimitNumberName | MaskName): name is LimitNumberName {
  return Object.hasOwn(LIMIT_NUMBERS, name);
}

export function useLimitStateText(): (state: AlarmLimitState) => string {
  const { t } = useTranslation('EventConfig');
  return (state) => {
    switch (state) {
      case 'none':
        return t('No limits set yet. The terminal uses its own.');
      case 'waiting':
        return t('Waiting to be sent to the terminal.');
      case 'sent':
        return t('Sent. Waiting for the answer of the terminal.');
      case 'confirmed':
        return t('The terminal uses these limits.');
      case 'differs':
        return t('The terminal reports other limits. Send them again.');
      case 'refused':
        return t('The terminal rejected the limits. Check them and send them again.');
      case 'expired':
        return t('The terminal was offline for too long. Send the limits again.');
    }
  };
}

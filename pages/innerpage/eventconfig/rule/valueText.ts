// The fields of a rule and their values in words.

import { useTranslation } from 'react-i18next';
import { severityText } from '../../../../shared/i18n/eventWordText.ts';
import { listText } from '../../../../shared/i18n/listText.ts';
import type { EventRuleField } from '../../../../shared/protocol/events/eventRules.ts';
import type { RuleNumberName } from '../../../../shared/protocol/events/ruleSettings.ts';
import { useScheduleText } from '../../../../shared/ui/schedule/scheduleText.ts';
import type { RuleDraft } from './ruleForm.ts';
import { shownNumber } from './ruleNumbers.ts';
import { useQuantityText, useUnitName } from './unitText.ts';

/** The labels of the fields, with the units of numbers. */
export function useFieldNames(type: string): Readonly<Record<EventRuleField, string>> {
  const { t } = useTranslation('EventConfig');
  return {
    ...useNumberNames(type),
    enabled: t('Enabled'),
    severity: t('Severity'),
    schedule: t('Schedule'),
    mergeSeconds: t('Merge window (s)'),
    eventsAnHour: t('Event limit (per hour)'),
    recordChannels: t('Channels to record'),
    recordSeconds: t('Recording time (s)'),
    snapshotChannels: t('Snapshot channels'),
    requestsFiles: t('Request files'),
    popUp: t('Pop-up'),
    driverText: t('Text to the driver'),
    isSpoken: t('Read out'),
    confirms: t('Confirm to terminal'),
  };
}

function useNumberNames(type: string): Readonly<Record<RuleNumberName, string>> {
  const { t } = useTranslation('EventConfig');
  const unitName = useUnitName();
  const unitOf = (name: RuleNumberName) => {
    const number = shownNumber(type, name);
    return { unit: number === undefined ? '' : unitName(number.unit) };
  };
  const names = {
    threshold: t('Threshold ({{unit}})', unitOf('threshold')),
    lowThreshold: t('Lower threshold ({{unit}})', unitOf('lowThreshold')),
    clearThreshold: t('Clear threshold ({{unit}})', unitOf('clearThreshold')),
    durationSeconds: t('Minimum duration ({{unit}})', unitOf('durationSeconds')),
  };
  switch (type) {
    case 'continuous-driving': {
      const threshold = t('Driving time ({{unit}})', unitOf('threshold'));
      return { ...names, threshold, clearThreshold: t('Rest ({{unit}})', unitOf('clearThreshold')) };
    }
    case 'fuel-drop':
    case 'refueling':
      return { ...names, durationSeconds: t('Time for the change ({{unit}})', unitOf('durationSeconds')) };
    default:
      return names;
  }
}

export function useValueText(type: string): (name: EventRuleField, draft: RuleDraft) => string {
  const { t } = useTranslation(['EventConfig', 'EventWords']);
  const [quantityText, scheduleText] = [useQuantityText(), useScheduleText()];
  const seconds = (value: number | null) => (value === null ? '' : quantityText(value, 's'));
  return (name, draft) => {
    switch (name) {
      case 'threshold':
      case 'lowThreshold':
      case 'clearThreshold':
      case 'durationSeconds': {
        const [{ value }, number] = [draft[name], shownNumber(type, name)];
        return value === null || number === undefined ? t('None') : quantityText(value, number.unit);
      }
      case 'mergeSeconds':
      case 'recordSeconds':
        return seconds(draft[name].value);
      case 'eventsAnHour':
        return String(draft.eventsAnHour.value ?? '');
      case 'severity':
        return severityText(draft.severity.value);
      case 'schedule':
        return scheduleText(draft.schedule.value) || t('At any time');
      case 'recordChannels':
      case 'snapshotChannels':
        return listText(draft[name].value.map((channel) => `ch ${channel}`)) || t('None');
      case 'driverText':
        return draft.driverText.value || t('None');
      case 'enabled':
      case 'requestsFiles':
      case 'popUp':
      case 'isSpoken':
      case 'confirms':
        return draft[name].value ? t('On') : t('Off');
    }
  };
}

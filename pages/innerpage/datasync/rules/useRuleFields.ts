import { useTranslation } from 'react-i18next';
import { listText } from '../../../../shared/i18n/listText.ts';
import { syncChoiceText, syncStreamText } from '../../../../shared/i18n/syncText.ts';
import { useEventNames } from '../../../../shared/ui/events/useEventNames.ts';
import type { DeviceChoices } from '../../../../shared/ui/form/deviceChoices.ts';
import type { RecordFields } from '../../../../shared/ui/form/recordFields.ts';
import { labelsOf } from '../../../../shared/ui/form/selectedOptions.ts';
import { useScheduleText } from '../../../../shared/ui/schedule/scheduleText.ts';
import type { RuleDraft } from './ruleForm.ts';
import { useNetworkNames } from './useRuleTexts.ts';

/** The fields of a rule, as its form and a conflict show them. */
export function useRuleFields(choices: DeviceChoices): RecordFields<RuleDraft> {
  const { t } = useTranslation('Datasync');
  const networks = useNetworkNames();
  const scheduleText = useScheduleText();
  const { nameOf } = useEventNames();
  const number = (value: number | null) => (value === null ? '' : String(value));
  const onOff = (isOn: boolean) => (isOn ? t('On') : t('Off'));
  return {
    name: { label: t('Name'), show: ({ name }) => name },
    enabled: { label: t('Enabled'), show: ({ enabled }) => onOff(enabled) },
    deviceGroups: { label: t('Device groups'), show: (values) => labelsOf(choices.groups, values.deviceGroups) },
    devices: { label: t('Devices'), show: ({ devices }) => labelsOf(choices.devices, devices) },
    choice: { label: t('What'), show: ({ choice }) => syncChoiceText(choice) },
    eventTypes: { label: t('Event types'), show: ({ eventTypes }) => listText(eventTypes.map(nameOf)) },
    channels: { label: t('Channels'), show: ({ channels }) => listText(channels) },
    stream: { label: t('Stream'), show: ({ stream }) => syncStreamText(stream) },
    daysBack: { label: t('Days back'), show: ({ daysBack }) => number(daysBack) },
    hours: { label: t('Hours'), show: ({ hours }) => scheduleText(hours) },
    wifi: { label: networks.wifi, show: ({ wifi }) => onOff(wifi) },
    lan: { label: networks.lan, show: ({ lan }) => onOff(lan) },
    mobile: { label: networks.mobile, show: ({ mobile }) => onOff(mobile) },
    concurrency: { label: t('Devices at a time'), show: ({ concurrency }) => number(concurrency) },
    kilobitsPerSecond: { label: t('Bandwidth (kbit/s)'), show: ({ kilobitsPerSecond }) => number(kilobitsPerSecond) },
    megabytesADay: { label: t('Data a day (MB)'), show: ({ megabytesADay }) => number(megabytesADay) },
    keptDays: { label: t('Retention (days)'), show: ({ keptDays }) => number(keptDays) },
    priority: { label: t('Priority'), show: ({ priority }) => priority },
  };
}

import { useTranslation } from 'react-i18next';
import { readSyncRule } from '../../../../shared/api/sync.ts';
import { listText } from '../../../../shared/i18n/listText.ts';
import { syncChoiceText, syncStreamText } from '../../../../shared/i18n/syncText.ts';
import type { SyncRule } from '../../../../shared/protocol/api/sync/sync.ts';
import { useEventNames } from '../../../../shared/ui/events/useEventNames.ts';
import { ConflictDialog, type ConflictField } from '../../../../shared/ui/form/ConflictDialog.tsx';
import type { DeviceChoices } from '../../../../shared/ui/form/deviceChoices.ts';
import { labelsOf } from '../../../../shared/ui/form/selectedOptions.ts';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { useScheduleText } from '../../../../shared/ui/schedule/scheduleText.ts';
import { draftOfRule, type RuleDraft } from './ruleForm.ts';
import { useNetworkNames } from './useRuleTexts.ts';

export interface RuleConflictProps {
  readonly form: Form<RuleDraft>;
  readonly choices: DeviceChoices;
  /** The rule as it is by now. */
  readonly onRule: (rule: SyncRule) => void;
}

/** Another member has saved the rule first. */
export function RuleConflict({ form, choices, onRule }: RuleConflictProps) {
  const fields = useConflictFields(choices);
  if (form.conflict === undefined) return null;
  const rule = readSyncRule(form.conflict);
  const theirs = draftOfRule(rule);
  return (
    <ConflictDialog<RuleDraft>
      versions={{ base: form.base, mine: form.values, theirs }}
      fields={fields}
      onChoose={(values) => {
        onRule(rule);
        form.rebase(theirs, values);
      }}
      onClose={form.dismissConflict}
    />
  );
}

function useConflictFields(choices: DeviceChoices): readonly ConflictField<RuleDraft>[] {
  const { t } = useTranslation('Datasync');
  const networks = useNetworkNames();
  const scheduleText = useScheduleText();
  const { nameOf } = useEventNames();
  const number = (value: number | null) => (value === null ? '' : String(value));
  const onOff = (isOn: boolean) => (isOn ? t('On') : t('Off'));
  return [
    { name: 'name', label: t('Name'), show: ({ name }) => name },
    { name: 'enabled', label: t('Enabled'), show: ({ enabled }) => onOff(enabled) },
    {
      name: 'deviceGroups',
      label: t('Device groups'),
      show: (values) => labelsOf(choices.groups, values.deviceGroups),
    },
    { name: 'devices', label: t('Devices'), show: ({ devices }) => labelsOf(choices.devices, devices) },
    { name: 'choice', label: t('What'), show: ({ choice }) => syncChoiceText(choice) },
    { name: 'eventTypes', label: t('Event types'), show: ({ eventTypes }) => listText(eventTypes.map(nameOf)) },
    { name: 'channels', label: t('Channels'), show: ({ channels }) => listText(channels) },
    { name: 'stream', label: t('Stream'), show: ({ stream }) => syncStreamText(stream) },
    { name: 'daysBack', label: t('Days back'), show: ({ daysBack }) => number(daysBack) },
    { name: 'hours', label: t('Hours'), show: ({ hours }) => scheduleText(hours) },
    { name: 'wifi', label: networks.wifi, show: ({ wifi }) => onOff(wifi) },
    { name: 'lan', label: networks.lan, show: ({ lan }) => onOff(lan) },
    { name: 'mobile', label: networks.mobile, show: ({ mobile }) => onOff(mobile) },
    { name: 'concurrency', label: t('Devices at a time'), show: ({ concurrency }) => number(concurrency) },
    {
      name: 'kilobitsPerSecond',
      label: t('Bandwidth (kbit/s)'),
      show: ({ kilobitsPerSecond }) => number(kilobitsPerSecond),
    },
    { name: 'megabytesADay', label: t('Data a day (MB)'), show: ({ megabytesADay }) => number(megabytesADay) },
    { name: 'keptDays', label: t('Retention (days)'), show: ({ keptDays }) => number(keptDays) },
    { name: 'priority', label: t('Priority'), show: ({ priority }) => priority },
  ];
}

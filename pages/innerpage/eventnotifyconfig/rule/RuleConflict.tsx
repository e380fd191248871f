import { useTranslation } from 'react-i18next';
import { readNotifyRule } from '../../../../shared/api/notify/notifyRules.ts';
import { severityText } from '../../../../shared/i18n/eventWordText.ts';
import { LANGUAGES } from '../../../../shared/i18n/languages.ts';
import { listText } from '../../../../shared/i18n/listText.ts';
import type { NotifyRule } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { ConflictDialog, type ConflictField } from '../../../../shared/ui/form/ConflictDialog.tsx';
import { labelsOf } from '../../../../shared/ui/form/selectedOptions.ts';
import { useScheduleText } from '../../../../shared/ui/schedule/scheduleText.ts';
import { useRuleSummary } from '../rules/useRuleSummary.ts';
import { deviceGroupOptions, deviceOptions } from './deviceOptions.ts';
import type { RuleContext } from './ruleContext.ts';
import { contentOfDraft, draftOfRule, type RuleDraft } from './ruleForm.ts';

export interface RuleConflictProps {
  readonly context: RuleContext;
  /** The rule as it is by now. */
  readonly onRule: (rule: NotifyRule) => void;
}

/** Another member has saved the rule first. */
export function RuleConflict({ context, onRule }: RuleConflictProps) {
  const { form } = context;
  const fields = useConflictFields(context);
  if (form.conflict === undefined) return null;
  const rule = readNotifyRule(form.conflict);
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

function useConflictFields({ choices, names }: RuleContext): readonly ConflictField<RuleDraft>[] {
  const { t } = useTranslation(['NotifyConfig', 'EventWords']);
  const scheduleText = useScheduleText();
  const summary = useRuleSummary(choices, names);
  const flag = (isOn: boolean) => (isOn ? t('On') : t('Off'));
  const minutes = (value: number | null) => (value === null ? '' : String(value));
  return [
    { name: 'name', label: t('Name'), show: ({ name }) => name },
    { name: 'enabled', label: t('Enabled'), show: ({ enabled }) => flag(enabled) },
    { name: 'types', label: t('Event types'), show: ({ types }) => listText(types.map(names.nameOf)) },
    {
      name: 'severities',
      label: t('Severities'),
      show: ({ severities }) => listText(severities.map(severityText)),
    },
    {
      name: 'deviceGroups',
      label: t('Device groups'),
      show: ({ deviceGroups }) => labelsOf(deviceGroupOptions(choices), deviceGroups),
    },
    { name: 'devices', label: t('Devices'), show: ({ devices }) => labelsOf(deviceOptions(choices), devices) },
    { name: 'coversGateway', label: t('Server events too'), show: ({ coversGateway }) => flag(coversGateway) },
    { name: 'schedule', label: t('Rule hours'), show: ({ schedule }) => scheduleText(schedule) },
    { name: 'quietHours', label: t('Quiet hours'), show: ({ quietHours }) => scheduleText(quietHours) },
    { name: 'timeZone', label: t('Time zone'), show: ({ timeZone }) => timeZone },
    {
      name: 'intervalMinutes',
      label: t('Minimum interval (min)'),
      show: ({ intervalMinutes }) => minutes(intervalMinutes),
    },
    {
      name: 'criticalPasses',
      label: t('Critical events are sent in quiet hours too'),
      show: ({ criticalPasses }) => flag(criticalPasses),
    },
    {
      name: 'membersChoose',
      label: t("Follow members' own settings"),
      show: ({ membersChoose }) => flag(membersChoose),
    },
    {
      name: 'steps',
      label: t('Steps'),
      show: (draft) => summary.steps({ ...contentOfDraft(draft), repeatMinutes: 0, digestMinutes: 0 }),
    },
    { name: 'repeatMinutes', label: t('Repeat every (min)'), show: ({ repeatMinutes }) => minutes(repeatMinutes) },
    { name: 'digestMinutes', label: t('Digest (min)'), show: ({ digestMinutes }) => minutes(digestMinutes) },
    {
      name: 'language',
      label: t('Language'),
      show: ({ language }) => LANGUAGES.find(({ locale }) => locale === language)?.name ?? language,
    },
  ];
}

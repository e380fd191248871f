import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { NotifyChoices } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import type { Option } from '../../../../shared/ui/form/SelectInput.tsx';
import type { Field, Form } from '../../../../shared/ui/form/useForm.ts';
import { FilterMany } from '../../../../shared/ui/table/FilterMany.tsx';
import { deviceGroupOptions, deviceOptions, selectedOptions } from './deviceOptions.ts';
import type { RuleDraft } from './ruleForm.ts';

export interface DevicesInputProps {
  readonly form: Form<RuleDraft>;
  readonly choices: NotifyChoices;
}

/** Groups with the groups inside them, and single devices beside them. */
export function DevicesInput({ form, choices }: DevicesInputProps) {
  const { t } = useTranslation('NotifyConfig');
  const groups = useMemo(() => deviceGroupOptions(choices), [choices]);
  const devices = useMemo(() => deviceOptions(choices), [choices]);
  return (
    <>
      <ManyInput
        field={form.field('deviceGroups')}
        label={t('Device groups')}
        hint={t('Subgroups are included.')}
        options={groups}
      />
      <ManyInput
        field={form.field('devices')}
        label={t('Devices')}
        hint={t('Leave both empty for all devices.')}
        options={devices}
      />
    </>
  );
}

interface ManyInputProps {
  readonly field: Field<readonly string[]>;
  readonly label: string;
  readonly hint: string;
  readonly options: readonly Option<string>[];
}

function ManyInput({ field, label, hint, options }: ManyInputProps) {
  return (
    <FilterMany
      fullWidth
      label={label}
      hint={hint}
      problem={field.problem}
      disabled={field.disabled}
      options={options}
      value={selectedOptions(options, field.value)}
      onChange={(next) => field.onChange(next.map(({ value }) => value))}
      keyOf={({ value }) => value}
      labelOf={({ label: text }) => text}
    />
  );
}

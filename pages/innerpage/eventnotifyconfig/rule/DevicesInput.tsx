import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { NotifyChoices } from '../../../../shared/protocol/api/notify/notifyRules.ts';
import { ManyInput } from '../../../../shared/ui/form/ManyInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { deviceGroupOptions, deviceOptions } from './deviceOptions.ts';
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

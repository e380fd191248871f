import Box from '@mui/material/Box';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addSimPlan, changeSimPlan } from '../../../../shared/api/netflow.ts';
import { planActionText } from '../../../../shared/i18n/netflowText.ts';
import type { SimPlan } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { PLAN_ACTIONS } from '../../../../shared/protocol/netflow/netflowWords.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { zoneOptions } from '../../../../shared/time/zoneOptions.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import { NumberInput } from '../../../../shared/ui/form/NumberInput.tsx';
import { PickInput } from '../../../../shared/ui/form/PickInput.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { TextInput } from '../../../../shared/ui/form/TextInput.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { PlanConflict } from './PlanConflict.tsx';
import { checkPlan, contentOfPlan, draftOfPlan, newPlan, type PlanDraft, RESET_DAYS } from './planForm.ts';
import { useActionHints, usePlanFormTexts } from './usePlanTexts.ts';

export interface PlanDialogProps {
  /** Undefined for a new one. */
  readonly plan: SimPlan | undefined;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function PlanDialog({ plan: opened, onSaved, onClose }: PlanDialogProps) {
  const { t } = useTranslation('Netflow');
  const zone = useUserZone();
  const texts = usePlanFormTexts();
  const hints = useActionHints();
  const [plan, setPlan] = useState(opened);
  const form = useForm<PlanDraft>({
    initial: opened === undefined ? newPlan(zone) : draftOfPlan(opened),
    check: (draft) => checkPlan(draft, texts),
  });
  const save = async () => {
    const saved = await form.submit((draft) => {
      const content = contentOfPlan(draft);
      return plan === undefined ? addSimPlan(content) : changeSimPlan(plan.id, { ...content, version: plan.version });
    });
    if (saved !== undefined) onSaved();
  };
  return (
    <FormDialog
      title={plan === undefined ? t('Add data plan') : t('Data plan {{name}}', { name: plan.name })}
      form={form}
      always={plan === undefined}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <TextInput field={form.field('name')} label={t('Name')} required autoFocus={plan === undefined} maxLength={100} />
      <Box sx={COLUMNS}>
        <NumberInput
          field={form.field('megabytes')}
          label={t('Size (MB)')}
          required
          hint={t('Of 1,000,000 bytes, as networks count them.')}
        />
        <SelectInput
          field={form.field('resetDay')}
          label={t('Starts over on day')}
          options={RESET_DAYS.map((value) => ({ value, label: value }))}
          hint={t('Of the month. In shorter months, the last day.')}
        />
        <PickInput field={form.field('timeZone')} label={t('Time zone')} required options={zoneOptions(Date.now())} />
        <TextInput field={form.field('price')} label={t('Price')} maxLength={60} />
      </Box>
      <SelectInput
        field={form.field('action')}
        label={t('When used up')}
        options={PLAN_ACTIONS.map((value) => ({ value, label: planActionText(value) }))}
        hint={`${hints[form.values.action]} ${t('Events, positions and talk always pass.')}`}
      />
      <PlanConflict form={form} onPlan={setPlan} />
    </FormDialog>
  );
}

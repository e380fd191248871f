import { useTranslation } from 'react-i18next';
import { readSimPlan } from '../../../../shared/api/netflow.ts';
import { planActionText } from '../../../../shared/i18n/netflowText.ts';
import type { SimPlan } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { ConflictDialog } from '../../../../shared/ui/form/ConflictDialog.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { draftOfPlan, type PlanDraft } from './planForm.ts';

export interface PlanConflictProps {
  readonly form: Form<PlanDraft>;
  /** The plan as it is by now. */
  readonly onPlan: (plan: SimPlan) => void;
}

/** Another member has saved the plan first. */
export function PlanConflict({ form, onPlan }: PlanConflictProps) {
  const { t } = useTranslation('Netflow');
  if (form.conflict === undefined) return null;
  const plan = readSimPlan(form.conflict);
  const theirs = draftOfPlan(plan);
  return (
    <ConflictDialog<PlanDraft>
      versions={{ base: form.base, mine: form.values, theirs }}
      fields={[
        { name: 'name', label: t('Name'), show: ({ name }) => name },
        { name: 'megabytes', label: t('Size (MB)'), show: ({ megabytes }) => String(megabytes ?? '') },
        { name: 'resetDay', label: t('Starts over on day'), show: ({ resetDay }) => resetDay },
        { name: 'timeZone', label: t('Time zone'), show: ({ timeZone }) => timeZone },
        { name: 'price', label: t('Price'), show: ({ price }) => price },
        { name: 'action', label: t('When used up'), show: ({ action }) => planActionText(action) },
      ]}
      onChoose={(values) => {
        onPlan(plan);
        form.rebase(theirs, values);
      }}
      onClose={form.dismissConflict}
    />
  );
}

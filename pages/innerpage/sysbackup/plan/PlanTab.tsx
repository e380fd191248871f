import Box from '@mui/material/Box';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeBackupPlan } from '../../../../shared/api/backup/backups.ts';
import type { BackupPlan } from '../../../../shared/protocol/api/system/backups.ts';
import { FormBox } from '../../../../shared/ui/form/FormBox.tsx';
import { SaveRow } from '../../../../shared/ui/form/SaveRow.tsx';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { KeyFields } from './KeyFields.tsx';
import { PlanConflict } from './PlanConflict.tsx';
import { ContentFields, KeepFields, TimeFields } from './PlanFields.tsx';
import { changeOfDraft, checkPlan, draftOfPlan, type PlanDraft } from './planForm.ts';
import { RecoveryKeyDialog } from './RecoveryKeyDialog.tsx';
import { usePlanTexts } from './usePlanTexts.ts';

/** When backups are made, what is in them, how long they stay, and how they are encrypted. */
export function PlanTab({ plan }: { readonly plan: BackupPlan }) {
  const { t } = useTranslation('SystemBackup');
  const [known, setKnown] = useState(plan);
  const [recoveryKey, setRecoveryKey] = useState('');
  const texts = usePlanTexts();
  const form = useForm<PlanDraft>({
    initial: draftOfPlan(known),
    check: (draft) => checkPlan(draft, known, texts),
  });
  const { isDirty, reset } = form;
  // Somebody else has saved. What is being typed stays, and meets theirs when it is saved.
  useEffect(() => {
    if (isDirty || plan.version <= known.version) return;
    setKnown(plan);
    reset(draftOfPlan(plan));
  }, [plan, known, isDirty, reset]);
  const save = async () => {
    const saved = await form.submit((draft) => changeBackupPlan(changeOfDraft(draft, known)));
    if (saved === undefined) return;
    setKnown(saved.plan);
    form.reset(draftOfPlan(saved.plan));
    setRecoveryKey(saved.recoveryKey);
    notify('success', t('Plan saved.'));
  };
  return (
    <Box sx={{ maxWidth: 720, pb: 2 }}>
      <FormBox form={form} onSubmit={() => void save()}>
        <TimeFields form={form} />
        <KeepFields form={form} />
        <ContentFields form={form} />
        <KeyFields form={form} plan={known} />
        <SaveRow form={form} />
      </FormBox>
      <PlanConflict form={form} onPlan={setKnown} />
      {recoveryKey !== '' && <RecoveryKeyDialog recoveryKey={recoveryKey} onClose={() => setRecoveryKey('')} />}
    </Box>
  );
}

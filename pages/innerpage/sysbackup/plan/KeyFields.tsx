import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { BackupPlan } from '../../../../shared/protocol/api/system/backups.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { PasswordField } from '../../../../shared/ui/form/PasswordField.tsx';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { keepsKey, type PlanDraft } from './planForm.ts';

interface KeyFieldsProps {
  readonly form: Form<PlanDraft>;
  /** As it is saved. */
  readonly plan: BackupPlan;
}

/** How backups are encrypted. What is set already is never shown. */
export function KeyFields({ form, plan }: KeyFieldsProps) {
  const { t } = useTranslation('SystemBackup');
  const { encryption } = form.values;
  const hasOne = keepsKey(plan, form.values);
  return (
    <Section title={t('Encryption')} level="h2">
      <SelectInput
        field={form.field('encryption')}
        label={t('Encryption')}
        hint={encryption === 'none' ? t('Keys and certificates are left out of backups.') : undefined}
        options={[
          { value: 'none', label: t('None') },
          { value: 'passphrase', label: t('Passphrase') },
          { value: 'recovery-key', label: t('Recovery key') },
        ]}
      />
      {encryption === 'passphrase' && <PassphraseFields form={form} hasOne={hasOne} />}
      {encryption === 'recovery-key' && hasOne && (
        <SwitchInput
          field={form.field('newRecoveryKey')}
          label={t('Make a new recovery key')}
          hint={t('Earlier backups still need the earlier key.')}
        />
      )}
      {encryption === 'recovery-key' && !hasOne && (
        <Box sx={{ color: 'text.secondary' }}>{t('The recovery key is made when you save, and shown once.')}</Box>
      )}
    </Section>
  );
}

interface PassphraseFieldsProps {
  readonly form: Form<PlanDraft>;
  readonly hasOne: boolean;
}

function PassphraseFields({ form, hasOne }: PassphraseFieldsProps) {
  const { t } = useTranslation('SystemBackup');
  const passphrase = form.field('passphrase');
  const again = form.field('passphraseAgain');
  return (
    <Box sx={COLUMNS}>
      <PasswordField
        label={hasOne ? t('New passphrase') : t('Passphrase')}
        name="passphrase"
        autoComplete="new-password"
        value={passphrase.value}
        onChange={passphrase.onChange}
        error={passphrase.problem}
        hint={
          hasOne
            ? t('Leave empty to keep the current one.')
            : t('Write it down. Without it, no backup can be restored.')
        }
      />
      <PasswordField
        label={t('Passphrase again')}
        name="passphraseAgain"
        autoComplete="new-password"
        value={again.value}
        onChange={again.onChange}
        error={again.problem}
      />
    </Box>
  );
}

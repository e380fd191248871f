import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { getSecondFactor } from '../../../../shared/api/accounts/account.ts';
import type { BackupPlan } from '../../../../shared/protocol/api/system/backups.ts';
import { COLUMNS } from '../../../../shared/ui/form/columns.ts';
import { PasswordField } from '../../../../shared/ui/form/PasswordField.tsx';
import { Section } from '../../../../shared/ui/form/Section.tsx';
import { SelectInput } from '../../../../shared/ui/form/SelectInput.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { ProofFields } from '../../../../shared/ui/secondFactor/ProofFields.tsx';
import { useIsAdministrator } from '../useIsAdministrator.ts';
import { changesKey, keepsKey, type PlanDraft } from './planForm.ts';

interface KeyFieldsProps {
  readonly form: Form<PlanDraft>;
  /** The plan as it is saved. */
  readonly plan: BackupPlan;
}

/** The fields for the encryption of backups. A value that is already set is never shown. */
export function KeyFields({ form, plan }: KeyFieldsProps) {
  const { t } = useTranslation('SystemBackup');
  const { encryption } = form.values;
  const isAdministrator = useIsAdministrator();
  const hasOne = keepsKey(plan, form.values);
  const noneHint = encryption === 'none' ? t('Keys and certificates are left out of backups.') : undefined;
  const hint = isAdministrator ? noneHint : t('Changing the encryption needs all permissions.');
  return (
    <Section title={t('Encryption')} level="h2">
      <SelectInput
        field={form.field('encryption')}
        label={t('Encryption')}
        hint={hint}
        disabled={!isAdministrator}
        options={[
          { value: 'none', label: t('None') },
          { value: 'passphrase', label: t('Passphrase') },
          { value: 'recovery-key', label: t('Recovery key') },
        ]}
      />
      {isAdministrator && encryption === 'passphrase' && <PassphraseFields form={form} hasOne={hasOne} />}
      {isAdministrator && encryption === 'recovery-key' && hasOne && (
        <SwitchInput
          field={form.field('newRecoveryKey')}
          label={t('Make a new recovery key')}
          hint={t('Earlier backups still need the earlier key.')}
        />
      )}
      {encryption === 'recovery-key' && !hasOne && (
        <Box sx={{ color: 'text.secondary' }}>{t('The recovery key is made when you save, and shown once.')}</Box>
      )}
      {changesKey(plan, form.values) && <ProofOfMember form={form} />}
    </Section>
  );
}

/** Whoever has the key can read every secret in later backups, so whoever changes it proves their identity again. */
function ProofOfMember({ form }: Pick<KeyFieldsProps, 'form'>) {
  const { t } = useTranslation('SystemBackup');
  const factor = useRecord({ key: ['second-factor'], load: getSecondFactor });
  const { password, code } = form.values;
  const problems = { password: form.field('password').problem, code: form.field('code').problem };
  const withCode = factor.value?.isEnrolled === true || problems.code !== undefined;
  return (
    <>
      <Box sx={{ color: 'text.secondary' }}>{t('Enter your password to change the encryption.')}</Box>
      <Box sx={COLUMNS}>
        <ProofFields
          proof={{ password, code }}
          onChange={(proof) => form.change(proof)}
          withCode={withCode}
          problems={problems}
          autoFocus={false}
        />
      </Box>
    </>
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

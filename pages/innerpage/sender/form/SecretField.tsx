import { useTranslation } from 'react-i18next';
import { PasswordField } from '../../../../shared/ui/form/PasswordField.tsx';
import { SwitchInput } from '../../../../shared/ui/form/SwitchInput.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { hasSecretField, type SenderDraft } from './senderForm.ts';
import { useFieldLabels } from './useSenderTexts.ts';

export interface SecretFieldProps {
  readonly form: Form<SenderDraft>;
  readonly hasStored: boolean;
}

/** What is stored never comes back: it is kept, replaced or deleted. */
export function SecretField({ form, hasStored }: SecretFieldProps) {
  const { t } = useTranslation('Sender');
  const { kind, removesSecret } = form.values;
  const labels = useFieldLabels(kind);
  const secret = form.field('secret');
  if (!hasSecretField(kind)) return null;
  const plain = kind === 'webhook' ? t('Signs each message, so that the service can check who sent it.') : undefined;
  return (
    <>
      {!removesSecret && (
        <PasswordField
          label={labels.secret}
          name="secret"
          autoComplete="new-password"
          value={secret.value}
          onChange={secret.onChange}
          error={secret.problem}
          hint={hasStored ? t('Stored. Leave empty to keep it.') : plain}
        />
      )}
      {hasStored && <SwitchInput field={form.field('removesSecret')} label={labels.removesSecret} />}
    </>
  );
}

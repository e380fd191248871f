import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { removeSecondFactor } from '../../../shared/api/account.ts';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { notify } from '../../../shared/ui/notifications.tsx';
import { PasswordField } from '../../../shared/ui/PasswordField.tsx';

export function RemoveDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation(['Account', 'Login']);
  const [password, setPassword] = useState('');
  return (
    <ConfirmDialog
      title={t('Switch the second factor off?')}
      text={t('The password alone opens your account then. The recovery codes end too.')}
      action={t('Switch off')}
      danger
      onConfirm={() => removeSecondFactor(password)}
      onDone={() => {
        notify('success', t('The second factor is off.'));
        onClose();
      }}
      onClose={onClose}
    >
      <PasswordField
        label={t('Password', { ns: 'Login' })}
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
    </ConfirmDialog>
  );
}

import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Backup } from '../../../../shared/protocol/api/system/backups.ts';
import { PasswordField } from '../../../../shared/ui/form/PasswordField.tsx';

export interface KeyStepProps {
  readonly backup: Backup;
  /** The key that was given doesn't fit. */
  readonly isWrong: boolean;
  /** A key is being tried. */
  readonly isBusy?: boolean;
  readonly onKey: (key: string) => void;
  readonly onClose: () => void;
}

/** Asks for the key of a backup from another installation, or from before the key was changed. */
export function KeyStep({ backup, isWrong, isBusy = false, onKey, onClose }: KeyStepProps) {
  const { t } = useTranslation(['SystemBackup', 'Common']);
  const [key, setKey] = useState('');
  const [isMissing, setMissing] = useState(false);
  const isPassphrase = backup.encryption === 'passphrase';
  const wrong = isWrong ? t("The passphrase or recovery key doesn't match.") : undefined;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setMissing(key.trim() === '');
    // A passphrase may begin with a space; with a recovery key, a space was copied along.
    if (key.trim() !== '' && !isBusy) onKey(isPassphrase ? key : key.trim());
  };
  return (
    <Box component="form" noValidate onSubmit={submit} sx={{ display: 'contents' }}>
      <DialogContent sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
        <DialogContentText>
          {isPassphrase
            ? t("The backup is encrypted with a passphrase that this server doesn't have.")
            : t("The backup is encrypted with a recovery key that this server doesn't have.")}
        </DialogContentText>
        <PasswordField
          autoFocus
          label={isPassphrase ? t('Passphrase') : t('Recovery key')}
          name="key"
          autoComplete="current-password"
          value={key}
          onChange={setKey}
          error={isMissing ? t('Enter the passphrase or recovery key.') : wrong}
        />
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button onClick={onClose}>{t('Cancel', { ns: 'Common' })}</Button>
        <Button type="submit" variant="contained" loading={isBusy}>
          {t('Continue')}
        </Button>
      </DialogActions>
    </Box>
  );
}

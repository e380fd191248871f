import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeOwnPassword } from '../../shared/api/accounts/user.ts';
import { errorText } from '../../shared/i18n/errorText.ts';
import { MIN_PASSWORD_LENGTH } from '../../shared/protocol/passwords.ts';
import { PasswordField } from '../../shared/ui/form/PasswordField.tsx';
import { notify } from '../../shared/ui/notifications.tsx';
import { replaceSession } from '../../shared/ui/session.ts';

export interface PasswordDialogProps {
  readonly onClose: () => void;
}

/** Changes the user's own password. */
export function PasswordDialog({ onClose }: PasswordDialogProps) {
  const { t } = useTranslation(['Shell', 'Common']);
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [repeated, setRepeated] = useState('');
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const titleId = useId();
  const isShort = next !== '' && next.length < MIN_PASSWORD_LENGTH;
  const differs = repeated !== '' && repeated !== next;

  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    // Who is signed in is asked afterwards: a framed page without cookies is signed out by it.
    const result = await replaceSession(() => changeOwnPassword(current, next));
    setBusy(false);
    if (!result.ok) return setFailure(errorText(result));
    notify('success', t('Password changed.'));
    onClose();
  };
  return (
    <Dialog open fullWidth maxWidth="xs" onClose={onClose} aria-labelledby={titleId}>
      <form onSubmit={(event) => void save(event)}>
        <DialogTitle id={titleId}>{t('Change password')}</DialogTitle>
        <DialogContent sx={FIELDS}>
          {failure !== undefined && <Alert severity="error">{failure}</Alert>}
          <PasswordField
            label={t('Current password')}
            name="current"
            autoComplete="current-password"
            value={current}
            onChange={setCurrent}
          />
          <PasswordField
            label={t('New password')}
            name="next"
            autoComplete="new-password"
            value={next}
            onChange={setNext}
            error={isShort ? t('Use at least {{min}} characters.', { min: MIN_PASSWORD_LENGTH }) : undefined}
          />
          <PasswordField
            label={t('Repeat new password')}
            name="repeated"
            autoComplete="new-password"
            value={repeated}
            onChange={setRepeated}
            error={differs ? t('Enter the same password twice.') : undefined}
          />
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2 }}>
          <Button onClick={onClose}>{t('Cancel', { ns: 'Common' })}</Button>
          <Button
            type="submit"
            variant="contained"
            loading={isBusy}
            disabled={current === '' || next === '' || isShort || repeated !== next}
          >
            {t('Save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

// Doubled, to win over the library's zero below a title, which would cut off the first field's label.
const FIELDS = { display: 'grid', gap: 2, '&&': { pt: 1 } } as const;

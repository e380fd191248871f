// The session has ended while something unsaved stands on the page: signing in again in place, so that nothing is lost.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import { type SubmitEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getUserStatus, logIn } from '../../api/user.ts';
import { errorText } from '../../i18n/errorText.ts';
import { PasswordField } from '../PasswordField.tsx';
import { recheckSession, tellShellSignedOut } from '../session.ts';

export interface SessionDialogProps {
  /** Who was signed in: what is typed here is theirs, so nobody else can go on with it. */
  readonly username: string;
  /** Gives the unsaved up and goes to sign-in. */
  readonly onLeave: () => void;
}

export function SessionDialog({ username, onLeave }: SessionDialogProps) {
  const { t } = useTranslation(['Frame', 'Login']);
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [titleId, textId] = [useId(), useId()];

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setBusy(true);
    const refused = await signInAgain(username, password);
    setBusy(false);
    setFailure(
      refused === 'not-kept'
        ? t('The browser did not keep the sign-in. Allow cookies for this site.', { ns: 'Login' })
        : refused,
    );
  };
  return (
    <Dialog open fullWidth maxWidth="xs" aria-labelledby={titleId} aria-describedby={textId}>
      <form onSubmit={(event) => void submit(event)}>
        <DialogTitle id={titleId}>{t('Your session has ended')}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2 }}>
          <DialogContentText id={textId}>
            {t('Sign in again as {{username}} to go on. What you typed is still here.', { username })}
          </DialogContentText>
          {failure !== undefined && <Alert severity="error">{failure}</Alert>}
          <input type="hidden" name="username" autoComplete="username" value={username} />
          <PasswordField
            label={t('Password', { ns: 'Login' })}
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
          />
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2, flexWrap: 'wrap' }}>
          <Button color="error" onClick={onLeave}>
            {t('Leave without saving')}
          </Button>
          <Button type="submit" variant="contained" loading={isBusy} disabled={password === ''}>
            {t('Sign in', { ns: 'Login' })}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Undefined once the session stands again; else why not, in words. */
async function signInAgain(username: string, password: string): Promise<string | 'not-kept' | undefined> {
  const result = await logIn({ username, password, wallMonitor: false });
  if (!result.ok) return errorText(result);
  const status = await getUserStatus();
  if (status.ok && !status.value.login) return 'not-kept';
  await recheckSession();
  // The shell around the page asks again for itself, and stays where it is.
  tellShellSignedOut();
  return undefined;
}

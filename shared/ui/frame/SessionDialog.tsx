// The session has ended while something unsaved stands on the page: signing in again in place, so that nothing is lost.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import i18next from 'i18next';
import { type SubmitEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getUserStatus, giveCode, logIn, type SignInStep } from '../../api/accounts/user.ts';
import type { ApiResult } from '../../api/client.ts';
import { errorText } from '../../i18n/errorText.ts';
import { PasswordField } from '../form/PasswordField.tsx';
import { CodeField } from '../secondFactor/CodeField.tsx';
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
  /** Set once the password was right and the second factor is still owed. */
  const [ticket, setTicket] = useState<string>();
  const [code, setCode] = useState('');
  const [titleId, textId] = [useId(), useId()];

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setBusy(true);
    const outcome = await (ticket === undefined ? logInAgain(username, password) : giveCodeAgain(ticket, code));
    setBusy(false);
    setTicket(outcome.kind === 'code' ? outcome.ticket : outcome.kind === 'wrong-code' ? ticket : undefined);
    setFailure(
      outcome.kind === 'not-kept'
        ? t('The browser blocked the sign-in cookie. Allow cookies for this site and try again.', { ns: 'Login' })
        : textOf(outcome),
    );
  };
  return (
    <Dialog open fullWidth maxWidth="xs" aria-labelledby={titleId} aria-describedby={textId}>
      <form onSubmit={(event) => void submit(event)}>
        <DialogTitle id={titleId}>{t('Your session has ended')}</DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2 }}>
          <DialogContentText id={textId}>
            {t('Sign in again as {{username}} to continue. What you entered is kept until you leave.', { username })}
          </DialogContentText>
          {failure !== undefined && <Alert severity="error">{failure}</Alert>}
          <input type="hidden" name="username" autoComplete="username" value={username} />
          {ticket === undefined ? (
            <PasswordField
              label={t('Password', { ns: 'Login' })}
              name="password"
              autoComplete="current-password"
              value={password}
              onChange={setPassword}
            />
          ) : (
            <CodeField
              value={code}
              onChange={setCode}
              hint={t('Enter 6 digits from your authenticator app, or a recovery code.', { ns: 'SecondFactor' })}
            />
          )}
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2, flexWrap: 'wrap' }}>
          <Button color="error" onClick={onLeave}>
            {t('Leave')}
          </Button>
          <Button
            type="submit"
            variant="contained"
            loading={isBusy}
            disabled={ticket === undefined ? password === '' : code === ''}
          >
            {t('Sign in', { ns: 'Login' })}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'not-kept' }
  | { readonly kind: 'code'; readonly ticket: string }
  | { readonly kind: 'refused' | 'wrong-code'; readonly text: string | undefined };

function textOf(outcome: Outcome): string | undefined {
  return 'text' in outcome ? outcome.text : undefined;
}

async function logInAgain(username: string, password: string): Promise<Outcome> {
  return goOn(await logIn({ username, password, wallMonitor: false }));
}

async function giveCodeAgain(ticket: string, code: string): Promise<Outcome> {
  return goOn(await giveCode(ticket, code));
}

async function goOn(result: ApiResult<SignInStep>): Promise<Outcome> {
  if (!result.ok) {
    const mayTryAgain = result.kind !== 'http' || result.code === 'wrong-code' || result.code === 'slow-down';
    return { kind: mayTryAgain ? 'wrong-code' : 'refused', text: errorText(result) };
  }
  if (result.value.kind === 'code') return { kind: 'code', ticket: result.value.ticket };
  // A second factor is set up on the sign-in page, which has the room for it.
  if (result.value.kind === 'enrol')
    return { kind: 'refused', text: i18next.t('second-factor-owed', { ns: 'Errors' }) };
  const status = await getUserStatus();
  if (status.ok && !status.value.login) return { kind: 'not-kept' };
  await recheckSession();
  // The shell around the page asks again for itself, and stays where it is.
  tellShellSignedOut();
  return { kind: 'done' };
}

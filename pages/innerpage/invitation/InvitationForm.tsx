import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { acceptInvitation, lookAtInvitation } from '../../../shared/api/accounts/account.ts';
import type { ApiFailure } from '../../../shared/api/client.ts';
import { errorText } from '../../../shared/i18n/errorText.ts';
import type { Invited } from '../../../shared/protocol/api/ownAccount.ts';
import { LOGIN_SRC } from '../../../shared/protocol/menuPages.ts';
import { MIN_PASSWORD_LENGTH } from '../../../shared/protocol/passwords.ts';
import { PasswordField } from '../../../shared/ui/form/PasswordField.tsx';
import { useRecord } from '../../../shared/ui/records/useRecord.ts';
import { Waiting } from '../../../shared/ui/Waiting.tsx';

/** The token is in the fragment, after the `#`, so that it reaches no server's log and no other site. */
const token = window.location.hash.slice(1);

export function InvitationForm() {
  const { t } = useTranslation(['Invitation', 'Login']);
  const { value: invited, failure } = useRecord({
    key: ['invitation'],
    load: (signal) => lookAtInvitation(token, signal),
  });
  const [isDone, setDone] = useState(false);
  if (isDone) {
    return (
      <>
        <Alert severity="success">{t('Password set. Sign in with it now.')}</Alert>
        <Button variant="contained" size="large" href={LOGIN_SRC}>
          {t('Sign in', { ns: 'Login' })}
        </Button>
      </>
    );
  }
  if (invited !== undefined) return <PasswordForm invited={invited} onDone={() => setDone(true)} />;
  return failure === undefined ? <Waiting /> : <Useless failure={failure} />;
}

function Useless({ failure }: { readonly failure: ApiFailure }) {
  const { t } = useTranslation(['Invitation', 'Common']);
  const reason = whyUseless(failure);
  return (
    <>
      <Alert severity="error">
        {reason === 'cut' ? t('This link is incomplete. Open the full link that was sent to you.') : errorText(failure)}
      </Alert>
      {reason === 'over' ? (
        <Typography sx={{ fontSize: 14 }}>
          {t('Links work once and expire after 3 days. Ask your administrator for a new one.')}
        </Typography>
      ) : (
        <Button variant="outlined" onClick={() => window.location.reload()}>
          {t('Reload page', { ns: 'Common' })}
        </Button>
      )}
    </>
  );
}

/** `over`: the link opens nothing; `cut`: a part of it is missing; else nobody could say. */
function whyUseless(failure: ApiFailure): 'over' | 'cut' | 'unknown' {
  const code = failure.kind === 'http' ? failure.code : undefined;
  if (code === 'no-such-invitation') return 'over';
  // No token that was ever given looks like this one.
  return code === 'bad-request' ? 'cut' : 'unknown';
}

function PasswordForm({ invited, onDone }: { readonly invited: Invited; readonly onDone: () => void }) {
  const { t } = useTranslation('Invitation');
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const [isTried, setTried] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const tooShort = password.length < MIN_PASSWORD_LENGTH;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setTried(true);
    if (tooShort || password !== repeated) return;
    setBusy(true);
    const result = await acceptInvitation(token, password);
    setBusy(false);
    if (result.ok) onDone();
    else setFailure(errorText(result));
  };
  return (
    <Box component="form" noValidate onSubmit={(event) => void submit(event)} sx={{ display: 'grid', gap: 2.25 }}>
      <Typography sx={{ fontSize: 14, overflowWrap: 'anywhere' }}>
        {t('Hello {{name}}. Your username is {{username}}.', {
          name: invited.displayName || invited.username,
          username: invited.username,
        })}
      </Typography>
      {failure !== undefined && <Alert severity="error">{failure}</Alert>}
      <input type="hidden" name="username" autoComplete="username" value={invited.username} />
      <PasswordField
        label={t('New password')}
        name="password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        error={
          isTried && tooShort ? t('Use at least {{count}} characters.', { count: MIN_PASSWORD_LENGTH }) : undefined
        }
      />
      <PasswordField
        label={t('Repeat password')}
        name="repeated"
        autoComplete="new-password"
        value={repeated}
        onChange={setRepeated}
        error={isTried && !tooShort && password !== repeated ? t('Enter the same password twice.') : undefined}
      />
      <Button type="submit" variant="contained" size="large" loading={isBusy}>
        {t('Set password')}
      </Button>
    </Box>
  );
}

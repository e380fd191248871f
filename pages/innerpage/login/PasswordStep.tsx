import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import TextField from '@mui/material/TextField';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../../../shared/i18n/errorText.ts';
import { PasswordField } from '../../../shared/ui/form/PasswordField.tsx';
import { type SignInOutcome, signIn } from './signIn.ts';

type FormState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'incomplete' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'refused'; readonly text: string };

export interface PasswordStepProps {
  /** Why it has to be given again. */
  readonly refusal: string | undefined;
  readonly onStep: (outcome: Exclude<SignInOutcome, { kind: 'refused' | 'not-kept' }>) => void;
}

export function PasswordStep({ refusal, onStep }: PasswordStepProps) {
  const { t } = useTranslation('Login');
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [wallMonitor, setWallMonitor] = useState(false);
  const [state, setState] = useState<FormState>(
    refusal === undefined ? { kind: 'idle' } : { kind: 'refused', text: refusal },
  );

  // Said here and not by the browser, whose own words need not be in the language that was chosen.
  const missing = {
    username: state.kind === 'incomplete' && username === '' ? t('Enter your username.') : undefined,
    password: state.kind === 'incomplete' && password === '' ? t('Enter your password.') : undefined,
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (username === '' || password === '') return setState({ kind: 'incomplete' });
    setState({ kind: 'busy' });
    const outcome = await signIn({ username, password, wallMonitor });
    switch (outcome.kind) {
      case 'not-kept':
        return setState({
          kind: 'refused',
          text: t('The browser blocked the sign-in cookie. Allow cookies for this site and try again.'),
        });
      case 'refused':
        return setState({ kind: 'refused', text: errorText(outcome.failure) ?? '' });
      default:
        return onStep(outcome);
    }
  };
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => void submit(event)}
      sx={{ display: 'grid', gap: 2.25, p: { xs: 2, sm: 3 } }}
    >
      {state.kind === 'refused' && <Alert severity="error">{state.text}</Alert>}
      <TextField
        autoFocus
        label={t('Username')}
        name="username"
        autoComplete="username"
        value={username}
        onChange={(event) => setUsername(event.target.value)}
        error={missing.username !== undefined}
        helperText={missing.username}
        slotProps={{ htmlInput: { spellCheck: false, autoCapitalize: 'none', autoCorrect: 'off' } }}
      />
      <PasswordField
        label={t('Password')}
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        error={missing.password}
      />
      <FormControlLabel
        control={<Checkbox size="small" onChange={(event) => setWallMonitor(event.target.checked)} />}
        checked={wallMonitor}
        label={t('Stay signed in on this wall display')}
        sx={{ my: -1 }}
      />
      <Button type="submit" variant="contained" size="large" loading={state.kind === 'busy'}>
        {t('Sign in')}
      </Button>
      <SlowNotice isBusy={state.kind === 'busy'} />
    </Box>
  );
}

/** The gateway lets a sign-in wait while others guess at passwords; unsaid, that looks like a page that hangs. */
function SlowNotice({ isBusy }: { readonly isBusy: boolean }) {
  const { t } = useTranslation('Login');
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isBusy) return;
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isBusy]);
  return (
    <Box role="status" sx={SLOW}>
      {isSlow && t('Signing in is taking longer than usual. Wait a moment.')}
    </Box>
  );
}

const SLOW_AFTER_MS = 3_000;

/** Its lines are there when it is empty: the form stays where it is. */
const SLOW = {
  fontSize: 13,
  lineHeight: 1.4,
  color: 'text.secondary',
  textAlign: 'center',
  minHeight: { xs: '2.8em', sm: '1.4em' },
  my: -1,
} as const;

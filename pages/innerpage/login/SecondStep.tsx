import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type SubmitEvent, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { beginRequiredFactor } from '../../../shared/api/accounts/enrolment.ts';
import type { ApiFailure } from '../../../shared/api/client.ts';
import { errorText } from '../../../shared/i18n/errorText.ts';
import type { TotpEnrolment } from '../../../shared/protocol/api/signIn.ts';
import { lazyPart } from '../../../shared/ui/chunks.tsx';
import { CodeField } from '../../../shared/ui/secondFactor/CodeField.tsx';
import { Waiting } from '../../../shared/ui/Waiting.tsx';
import { type SignInOutcome, signInEnrolling, signInWithCode } from './signIn.ts';

const AppSetUp = lazyPart(
  'AppSetUp',
  async () => (await import('../../../shared/ui/secondFactor/AppSetUp.tsx')).AppSetUp,
);

export interface SecondStepProps {
  /** `enrol`: a second factor has to be set up first. */
  readonly kind: 'code' | 'enrol';
  readonly ticket: string;
  readonly onStep: (outcome: Exclude<SignInOutcome, { kind: 'refused' | 'not-kept' }>) => void;
  /** Goes back to the password; with a reason when that is required. */
  readonly onBack: (refusal?: string) => void;
}

export function SecondStep({ kind, ticket, onStep, onBack }: SecondStepProps) {
  const { t } = useTranslation(['SecondFactor', 'Login']);
  const [code, setCode] = useState('');
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const refuse = (refused: ApiFailure) => {
    const text = errorText(refused);
    if (refused.kind === 'http' && refused.code === 'sign-in-again') onBack(text);
    else setFailure(text);
  };
  const enrolment = useEnrolment(kind === 'enrol', ticket, refuse);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (code.trim() === '') return setFailure(t('Enter the verification code.'));
    setBusy(true);
    const outcome = await (kind === 'code' ? signInWithCode(ticket, code) : signInEnrolling(ticket, code));
    setBusy(false);
    if (outcome.kind === 'refused') return refuse(outcome.failure);
    if (outcome.kind === 'not-kept') {
      return setFailure(
        t('The browser blocked the sign-in cookie. Allow cookies for this site and try again.', { ns: 'Login' }),
      );
    }
    onStep(outcome);
  };
  return (
    <Box component="form" noValidate onSubmit={(event) => void submit(event)} sx={FORM}>
      <Typography component="h2" sx={{ fontSize: 16, fontWeight: 650 }}>
        {kind === 'code' ? t('Two-factor authentication') : t('Set up two-factor authentication')}
      </Typography>
      {failure !== undefined && <Alert severity="error">{failure}</Alert>}
      {kind === 'enrol' && (
        <Typography sx={{ fontSize: 14 }}>
          {t('Your administrator requires two-factor authentication. Setup takes about a minute.')}
        </Typography>
      )}
      {kind === 'enrol' && (
        <Suspense fallback={<Waiting />}>{enrolment && <AppSetUp enrolment={enrolment} />}</Suspense>
      )}
      <CodeField
        value={code}
        onChange={setCode}
        hint={
          kind === 'code'
            ? t('Enter 6 digits from your authenticator app, or a recovery code.')
            : t('Enter the 6 digits that the app shows.')
        }
      />
      <Button type="submit" variant="contained" size="large" loading={isBusy}>
        {t('Sign in', { ns: 'Login' })}
      </Button>
      <Button onClick={() => onBack()}>{t('Back to password')}</Button>
    </Box>
  );
}

function useEnrolment(isWanted: boolean, ticket: string, onRefused: (failure: ApiFailure) => void) {
  const [enrolment, setEnrolment] = useState<TotpEnrolment>();
  const refuse = useEffectEvent(onRefused);
  useEffect(() => {
    if (!isWanted) return;
    void beginRequiredFactor(ticket).then((result) => (result.ok ? setEnrolment(result.value) : refuse(result)));
  }, [isWanted, ticket]);
  return enrolment;
}

const FORM = { display: 'grid', gap: 2.25, p: { xs: 2, sm: 3 } } as const;

import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { type ReactNode, type SubmitEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { beginSecondFactor, confirmSecondFactor, type OwnProof } from '../../../shared/api/accounts/account.ts';
import type { ApiResult } from '../../../shared/api/client.ts';
import { errorText } from '../../../shared/i18n/errorText.ts';
import type { TotpEnrolment } from '../../../shared/protocol/api/signIn.ts';
import { AppSetUp } from '../../../shared/ui/secondFactor/AppSetUp.tsx';
import { CodeField } from '../../../shared/ui/secondFactor/CodeField.tsx';
import { ProofFields } from '../../../shared/ui/secondFactor/ProofFields.tsx';
import { useProofProblems } from '../../../shared/ui/secondFactor/proof.ts';
import { RecoveryCodes } from '../../../shared/ui/secondFactor/RecoveryCodes.tsx';
import { useIsNarrow } from '../../../shared/ui/useIsNarrow.ts';

type Step =
  | { readonly kind: 'password' }
  | { readonly kind: 'app'; readonly enrolment: TotpEnrolment }
  | { readonly kind: 'codes'; readonly codes: readonly string[] };

interface EnrolDialogProps {
  /** A second factor is there already, and is replaced. */
  readonly isEnrolled: boolean;
  readonly onClose: () => void;
}

/**
 * The password with a code of the present second factor, the app, the recovery codes: one after another. Closed before the
 * last, nothing has changed.
 */
export function EnrolDialog({ isEnrolled, onClose }: EnrolDialogProps) {
  const { t } = useTranslation('SecondFactor');
  const [step, setStep] = useState<Step>({ kind: 'password' });
  const titleId = useId();
  const isNarrow = useIsNarrow();
  // Recovery codes are not lost by a click beside them.
  const dismiss = step.kind === 'codes' ? {} : { onClose };
  return (
    <Dialog open fullWidth fullScreen={isNarrow} maxWidth="xs" aria-labelledby={titleId} {...dismiss}>
      <DialogTitle id={titleId}>{t('Set up two-factor authentication')}</DialogTitle>
      <DialogContent>
        {step.kind === 'password' && (
          <ProofPart
            isEnrolled={isEnrolled}
            onClose={onClose}
            onBegun={(enrolment) => setStep({ kind: 'app', enrolment })}
          />
        )}
        {step.kind === 'app' && (
          <AppPart enrolment={step.enrolment} onClose={onClose} onDone={(codes) => setStep({ kind: 'codes', codes })} />
        )}
        {step.kind === 'codes' && (
          <RecoveryCodes codes={step.codes} doneLabel={t("I've saved the codes")} onDone={onClose} />
        )}
      </DialogContent>
    </Dialog>
  );
}

interface PartProps<Value> {
  readonly action: string;
  /** Undefined when the fields say why it was not done. */
  readonly call: () => Promise<ApiResult<Value> | undefined>;
  readonly onDone: (value: Value) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function PartForm<Value>({ action, call, onDone, onClose, children }: PartProps<Value>) {
  const { t } = useTranslation('Common');
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    const result = await call();
    setBusy(false);
    if (result?.ok === true) return onDone(result.value);
    setFailure(result && errorText(result));
  };
  return (
    <Box component="form" noValidate onSubmit={(event) => void submit(event)} sx={{ display: 'grid', gap: 2, pt: 1 }}>
      {failure !== undefined && <Alert severity="error">{failure}</Alert>}
      {children}
      <Box sx={{ display: 'flex', gap: 1, justifyContent: 'flex-end' }}>
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button type="submit" variant="contained" loading={isBusy}>
          {action}
        </Button>
      </Box>
    </Box>
  );
}

interface ProofPartProps {
  readonly isEnrolled: boolean;
  readonly onBegun: (enrolment: TotpEnrolment) => void;
  readonly onClose: () => void;
}

function ProofPart({ isEnrolled, onBegun, onClose }: ProofPartProps) {
  const { t } = useTranslation('SecondFactor');
  const [proof, setProof] = useState<OwnProof>({ password: '', code: '' });
  const { problems, attempt } = useProofProblems();
  const begin = () => attempt({ password: proof.password }, () => beginSecondFactor(proof));
  return (
    <PartForm action={t('Next')} call={begin} onDone={onBegun} onClose={onClose}>
      <ProofFields proof={proof} onChange={setProof} withCode={isEnrolled} problems={problems} autoFocus />
    </PartForm>
  );
}

interface AppPartProps {
  readonly enrolment: TotpEnrolment;
  readonly onDone: (codes: readonly string[]) => void;
  readonly onClose: () => void;
}

function AppPart({ enrolment, onDone, onClose }: AppPartProps) {
  const { t } = useTranslation('SecondFactor');
  const [code, setCode] = useState('');
  const { problems, attempt } = useProofProblems();
  const confirm = () => attempt({ code }, () => confirmSecondFactor(code));
  return (
    <PartForm action={t('Turn on')} call={confirm} onDone={onDone} onClose={onClose}>
      <AppSetUp enrolment={enrolment} />
      <CodeField
        value={code}
        onChange={setCode}
        problem={problems.code}
        hint={t('Enter the 6 digits that the app shows.')}
      />
    </PartForm>
  );
}

import { useTranslation } from 'react-i18next';
import type { OwnProof } from '../../api/accounts/account.ts';
import { PasswordField } from '../form/PasswordField.tsx';
import { CodeField } from './CodeField.tsx';
import type { ProofProblems } from './proof.ts';

export interface ProofFieldsProps {
  readonly proof: OwnProof;
  readonly onChange: (proof: OwnProof) => void;
  /** There is a second factor, whose code is asked for too. */
  readonly withCode: boolean;
  readonly problems: ProofProblems;
  /** False where the dialog asks first whether to do it at all. */
  readonly autoFocus: boolean;
}

/** What proves that it is the account's owner who asks. */
export function ProofFields({ proof, onChange, withCode, problems, autoFocus }: ProofFieldsProps) {
  const { t } = useTranslation(['SecondFactor', 'Login']);
  return (
    <>
      <PasswordField
        autoFocus={autoFocus}
        label={t('Password', { ns: 'Login' })}
        name="password"
        autoComplete="current-password"
        value={proof.password}
        onChange={(password) => onChange({ ...proof, password })}
        error={problems.password}
      />
      {withCode && (
        <CodeField
          autoFocus={false}
          value={proof.code}
          onChange={(code) => onChange({ ...proof, code })}
          problem={problems.code}
          hint={t('Enter 6 digits from your authenticator app, or a recovery code.')}
        />
      )}
    </>
  );
}

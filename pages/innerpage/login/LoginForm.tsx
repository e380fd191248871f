import { useState } from 'react';
import { PasswordStep } from './PasswordStep.tsx';
import { RecoveryCodesStep } from './RecoveryCodesStep.tsx';
import { SecondStep } from './SecondStep.tsx';
import type { SignInOutcome } from './signIn.ts';

type Step =
  | { readonly kind: 'password'; readonly refusal?: string }
  | { readonly kind: 'code' | 'enrol'; readonly ticket: string }
  | { readonly kind: 'recovery'; readonly codes: readonly string[]; readonly goTo: string };

/** The password, then the second factor where there is one or has to be one. */
export function LoginForm() {
  const [step, setStep] = useState<Step>({ kind: 'password' });
  const goOn = (outcome: Exclude<SignInOutcome, { kind: 'refused' | 'not-kept' }>) => {
    if (outcome.kind !== 'signed-in') return setStep(outcome);
    if (outcome.recoveryCodes.length === 0) return window.location.replace(outcome.goTo);
    setStep({ kind: 'recovery', codes: outcome.recoveryCodes, goTo: outcome.goTo });
  };
  switch (step.kind) {
    case 'password':
      return <PasswordStep refusal={step.refusal} onStep={goOn} />;
    case 'code':
    case 'enrol':
      return (
        <SecondStep
          kind={step.kind}
          ticket={step.ticket}
          onStep={goOn}
          onBack={(refusal) => setStep({ kind: 'password', ...(refusal === undefined ? {} : { refusal }) })}
        />
      );
    case 'recovery':
      return <RecoveryCodesStep codes={step.codes} onDone={() => window.location.replace(step.goTo)} />;
  }
}

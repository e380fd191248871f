// What is known of a password and a code that prove whose account it is: what is missing, and what the gateway says of them.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OwnProof } from '../../api/accounts/account.ts';
import type { ApiFailure, ApiResult } from '../../api/client.ts';
import { refusedFields } from '../../api/refusals.ts';
import { errorText } from '../../i18n/errorText.ts';
import { fieldText } from '../form/text/fieldText.ts';

/** Problems in the user's language, by field. */
export type ProofProblems = { readonly [Field in keyof OwnProof]?: string | undefined };

/** What a refusal says of the two fields; empty when it is about something else. */
function problemsOf(failure: ApiFailure): ProofProblems {
  const code = failure.kind === 'http' ? failure.code : undefined;
  // Both name what to enter, which the code of the field alone would not.
  if (code === 'code-required') return { code: errorText(failure) };
  if (code === 'wrong-password') return { password: errorText(failure) };
  const refused = refusedFields(failure).code;
  return refused === undefined ? {} : { code: fieldText(refused) };
}

/** The problems of the fields, and a call that is made only when nothing is missing. */
export function useProofProblems() {
  const { t } = useTranslation(['Login', 'SecondFactor']);
  const [problems, setProblems] = useState<ProofProblems>({});
  /** Undefined when the fields say all there is to say. */
  const attempt = async <Value>(
    given: Partial<OwnProof>,
    call: () => Promise<ApiResult<Value>>,
  ): Promise<ApiResult<Value> | undefined> => {
    const missing = {
      password: given.password === '' ? t('Enter your password.') : undefined,
      code: given.code?.trim() === '' ? t('Enter the verification code.', { ns: 'SecondFactor' }) : undefined,
    };
    if (hasAny(missing)) {
      setProblems(missing);
      return undefined;
    }
    const result = await call();
    const found = result.ok ? {} : problemsOf(result);
    setProblems(found);
    return hasAny(found) ? undefined : result;
  };
  return { problems, attempt };
}

function hasAny(problems: ProofProblems): boolean {
  return Object.values(problems).some((problem) => problem !== undefined);
}

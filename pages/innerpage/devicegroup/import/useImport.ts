import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiFailure } from '../../../../shared/api/client.ts';
import { applyImport, checkImport, type ImportChoice } from '../../../../shared/api/deviceGroup.ts';
import { refusedFields } from '../../../../shared/api/refusals.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { ImportEncoding, ImportPlan } from '../../../../shared/protocol/api/deviceGroup.ts';

export type EncodingChoice = ImportEncoding | 'auto';

interface Outcome {
  readonly plan?: ImportPlan;
  readonly failure?: string | undefined;
}

/** The steps of an import: every choice tries it anew, and only what was shown is imported. */
export function useImport(firstGroup: number | undefined) {
  useTranslation('DeviceGroup');
  const [file, setFile] = useState<File>();
  const [encoding, setEncoding] = useState<EncodingChoice>('auto');
  const [group, setGroup] = useState(firstGroup);
  const [outcome, setOutcome] = useState<Outcome>({});
  const [isBusy, setBusy] = useState(false);
  const [isStale, setStale] = useState(false);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    if (file === undefined) return undefined;
    let isOver = false;
    setBusy(true);
    void checkImport(file, choiceOf(encoding, group)).then((result) => {
      if (isOver) return;
      setBusy(false);
      setOutcome(result.ok ? { plan: result.value } : { failure: failureText(result) });
    });
    return () => {
      isOver = true;
    };
  }, [file, encoding, group, attempt]);

  const apply = async (): Promise<ImportPlan['counts'] | undefined> => {
    const { plan } = outcome;
    if (file === undefined || plan === undefined) return undefined;
    setBusy(true);
    setStale(false);
    const result = await applyImport(file, choiceOf(encoding, group), plan.token);
    setBusy(false);
    if (result.ok) return result.value;
    const isConflict = result.kind === 'http' && result.code === 'conflict';
    setStale(isConflict);
    if (isConflict) setAttempt((count) => count + 1);
    else setOutcome({ plan, failure: failureText(result) });
    return undefined;
  };
  const choose = (chosen: File) => {
    setStale(false);
    setFile(chosen);
  };
  return { ...{ file, encoding, group, isBusy, isStale, setEncoding, setGroup, choose, apply }, ...outcome };
}

function choiceOf(encoding: EncodingChoice, group: number | undefined): ImportChoice {
  return { encoding: encoding === 'auto' ? undefined : encoding, group };
}

/** With what the gateway says of the place, a column or a line. */
function failureText(failure: ApiFailure): string | undefined {
  const what = refusedFields(failure).what ?? '';
  const text = errorText(failure);
  return what === '' || text === undefined ? text : `${text} (${what})`;
}

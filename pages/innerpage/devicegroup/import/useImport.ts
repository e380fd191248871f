import { useEffect, useState } from 'react';
import type { ApiFailure } from '../../../../shared/api/client.ts';
import { applyImport, checkImport, type ImportChoice } from '../../../../shared/api/devices/deviceGroup.ts';
import { refusedFields } from '../../../../shared/api/refusals.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { ImportPlan } from '../../../../shared/protocol/api/deviceImport.ts';
import type { ChosenEncoding } from '../../../../shared/ui/plannedRows/EncodingChoice.tsx';

interface Outcome {
  readonly plan?: ImportPlan;
  readonly failure?: string | undefined;
}

interface Attempt extends ImportChoice {
  readonly file: File;
}

/** The steps of an import: every choice tries it again, and only what was shown is imported. */
export function useImport(firstGroup: number | undefined) {
  const [encoding, setEncoding] = useState<ChosenEncoding>('auto');
  const [group, setGroup] = useState(firstGroup);
  const [attempt, setAttempt] = useState<Attempt>();
  const [outcome, setOutcome] = useState<Outcome>({});
  const [isBusy, setBusy] = useState(false);
  const [isStale, setStale] = useState(false);

  useEffect(() => {
    if (attempt === undefined) return undefined;
    let isOver = false;
    setBusy(true);
    const { file, ...choice } = attempt;
    void checkImport(file, choice).then((result) => {
      if (isOver) return;
      setBusy(false);
      setOutcome(result.ok ? { plan: result.value } : { failure: failureText(result) });
    });
    return () => {
      isOver = true;
    };
  }, [attempt]);

  const change = (part: Partial<Attempt>) => {
    setStale(false);
    const file = part.file ?? attempt?.file;
    if (file !== undefined) setAttempt({ ...choiceOf(encoding, group), ...part, file });
  };
  const apply = async (): Promise<ImportPlan['counts'] | undefined> => {
    const { plan } = outcome;
    if (attempt === undefined || plan === undefined) return undefined;
    setBusy(true);
    setStale(false);
    const { file, ...choice } = attempt;
    const result = await applyImport(file, choice, plan.token);
    setBusy(false);
    if (result.ok) return result.value;
    const isConflict = result.kind === 'http' && result.code === 'conflict';
    setStale(isConflict);
    if (isConflict) setAttempt({ ...attempt });
    else setOutcome({ plan, failure: failureText(result) });
    return undefined;
  };
  return {
    file: attempt?.file,
    encoding,
    group,
    isBusy,
    isStale,
    apply,
    ...outcome,
    choose: (file: File) => change({ file }),
    setEncoding: (next: ChosenEncoding) => {
      setEncoding(next);
      change({ encoding: choiceOf(next, group).encoding });
    },
    setGroup: (next: number | undefined) => {
      setGroup(next);
      change({ group: next });
    },
  };
}

function choiceOf(encoding: ChosenEncoding, group: number | undefined): ImportChoice {
  return { encoding: encoding === 'auto' ? undefined : encoding, group };
}

/** The failure, with the place that the gateway reports: a column or a line. */
function failureText(failure: ApiFailure): string | undefined {
  const what = refusedFields(failure).what ?? '';
  const text = errorText(failure);
  return what === '' || text === undefined ? text : `${text} (${what})`;
}

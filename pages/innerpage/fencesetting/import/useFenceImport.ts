import { useEffect, useState } from 'react';
import type { ApiFailure } from '../../../../shared/api/client.ts';
import { applyFences, checkFences } from '../../../../shared/api/fences.ts';
import { refusedFields } from '../../../../shared/api/refusals.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { FenceImportChoice, FenceImportPlan } from '../../../../shared/protocol/api/fences/fences.ts';
import type { ChosenEncoding } from '../../../../shared/ui/plannedRows/EncodingChoice.tsx';

export interface ImportSizes {
  /** Sizes for lines and points that have none in the file. */
  readonly widthMeters: number;
  readonly radiusMeters: number;
}

interface Attempt extends ImportSizes {
  readonly file: File;
  readonly encoding: ChosenEncoding;
}

interface Outcome {
  readonly plan?: FenceImportPlan;
  readonly failure?: string | undefined;
}

const FIRST_SIZES: ImportSizes = { widthMeters: 50, radiusMeters: 100 };

/** The steps of an import: every choice previews it again, and only what was shown is imported. */
export function useFenceImport() {
  const [sizes, setSizes] = useState(FIRST_SIZES);
  const [encoding, setEncoding] = useState<ChosenEncoding>('auto');
  const [attempt, setAttempt] = useState<Attempt>();
  const [outcome, setOutcome] = useState<Outcome>({});
  const [isBusy, setBusy] = useState(false);
  const [isStale, setStale] = useState(false);
  useEffect(() => {
    if (attempt === undefined) return undefined;
    let isOver = false;
    setBusy(true);
    void checkFences(attempt.file, choiceOf(attempt)).then((result) => {
      if (isOver) return;
      setBusy(false);
      setOutcome(result.ok ? { plan: result.value } : { failure: failureText(result) });
    });
    return () => {
      isOver = true;
    };
  }, [attempt]);
  const apply = async (): Promise<FenceImportPlan['counts'] | undefined> => {
    const { plan } = outcome;
    if (attempt === undefined || plan === undefined) return undefined;
    setBusy(true);
    setStale(false);
    const result = await applyFences(attempt.file, choiceOf(attempt), plan.token);
    setBusy(false);
    if (result.ok) return result.value;
    const isConflict = result.kind === 'http' && result.code === 'conflict';
    setStale(isConflict);
    if (isConflict) setAttempt({ ...attempt });
    else setOutcome({ plan, failure: failureText(result) });
    return undefined;
  };
  const attemptWith = (part: Partial<Attempt>) => {
    setStale(false);
    const file = part.file ?? attempt?.file;
    if (file !== undefined) setAttempt({ ...sizes, encoding, ...part, file });
  };
  return {
    file: attempt?.file,
    sizes,
    encoding,
    isBusy,
    isStale,
    apply,
    ...outcome,
    choose: (file: File) => attemptWith({ file }),
    setSizes: (next: ImportSizes) => {
      setSizes(next);
      attemptWith(next);
    },
    setEncoding: (next: ChosenEncoding) => {
      setEncoding(next);
      attemptWith({ encoding: next });
    },
  };
}

function choiceOf({ file, widthMeters, radiusMeters, encoding }: Attempt): FenceImportChoice {
  return {
    widthMeters: String(widthMeters),
    radiusMeters: String(radiusMeters),
    name: file.name.replace(/\.[^.]*$/, '').slice(0, MAX_DEFAULT_NAME),
    ...(encoding === 'auto' ? {} : { encoding }),
  };
}

/** Maximum characters; a number may follow. */
const MAX_DEFAULT_NAME = 60;

/** The failure, with the place in the file that the gateway reports. */
function failureText(failure: ApiFailure): string | undefined {
  const what = refusedFields(failure).what ?? '';
  const text = errorText(failure);
  return what === '' || text === undefined ? text : `${text} (${what})`;
}

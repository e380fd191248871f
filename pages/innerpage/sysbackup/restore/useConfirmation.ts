import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type OwnProof, proofBody } from '../../../../shared/api/accounts/account.ts';
import { beginRestore } from '../../../../shared/api/backup/restore.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import { useProofProblems } from '../../../../shared/ui/secondFactor/proof.ts';
import type { RestoreKeep } from './restoreKeep.ts';

export interface ConfirmationOptions {
  /** Id of the dry run. */
  readonly plan: string;
  readonly keep: RestoreKeep;
  /** The text that has to be typed: the site's title as it is shown. */
  readonly title: string;
  /** The title that the installation has: '' where none is set, and the product's name is shown. */
  readonly setTitle: string;
  readonly onBegun: () => void;
}

export function useConfirmation({ plan, keep, title, setTitle, onBegun }: ConfirmationOptions) {
  const { t } = useTranslation('SystemBackup');
  const [typed, type] = useState('');
  const [proof, setProof] = useState<OwnProof>({ password: '', code: '' });
  const [titleProblem, setTitleProblem] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { problems: proofProblems, attempt } = useProofProblems();
  const otherTitle = t('Enter {{title}} to confirm.', { title });

  const confirm = async () => {
    setTitleProblem(typed.trim() === title ? undefined : otherTitle);
    if (typed.trim() !== title) return;
    setFailure(undefined);
    setBusy(true);
    const result = await attempt({ password: proof.password }, () =>
      beginRestore({ plan, keep, title: setTitle, ...proofBody(proof) }),
    );
    setBusy(false);
    if (result === undefined) return;
    if (result.ok) return onBegun();
    if (result.kind === 'http' && result.code === 'wrong-title') setTitleProblem(errorText(result));
    else setFailure(errorText(result));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    event.stopPropagation();
    void confirm();
  };
  return { typed, type, titleProblem, proof, setProof, proofProblems, failure, isBusy, submit };
}

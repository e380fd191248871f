import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type OwnProof, removeSecondFactor } from '../../../shared/api/accounts/account.ts';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { notify } from '../../../shared/ui/notifications.tsx';
import { ProofFields } from '../../../shared/ui/secondFactor/ProofFields.tsx';
import { useProofProblems } from '../../../shared/ui/secondFactor/proof.ts';

export function RemoveDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('Account');
  const [proof, setProof] = useState<OwnProof>({ password: '', code: '' });
  const { problems, attempt } = useProofProblems();
  return (
    <ConfirmDialog
      title={t('Turn off two-factor authentication?')}
      text={t("You'll sign in with your password only. Recovery codes stop working.")}
      action={t('Turn off')}
      danger
      onConfirm={() => attempt({ password: proof.password }, () => removeSecondFactor(proof))}
      onDone={() => {
        notify('success', t('Two-factor authentication turned off.'));
        onClose();
      }}
      onClose={onClose}
    >
      <ProofFields proof={proof} onChange={setProof} withCode problems={problems} autoFocus={false} />
    </ConfirmDialog>
  );
}

import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getSecondFactor, type OwnProof, proofBody } from '../../../../shared/api/accounts/account.ts';
import { requestBackupDownload } from '../../../../shared/api/backup/backups.ts';
import type { Backup } from '../../../../shared/protocol/api/system/backups.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { startDownload } from '../../../../shared/ui/files/startDownload.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { ProofFields } from '../../../../shared/ui/secondFactor/ProofFields.tsx';
import { useProofProblems } from '../../../../shared/ui/secondFactor/proof.ts';
import { useBackupTexts } from '../words/useBackupTexts.ts';

export interface DownloadDialogProps {
  readonly backup: Backup;
  readonly onClose: () => void;
}

/** A backup is everything that the installation knows, so whoever takes it away proves again who they are. */
export function DownloadDialog({ backup, onClose }: DownloadDialogProps) {
  const { t } = useTranslation('SystemBackup');
  const [proof, setProof] = useState<OwnProof>({ password: '', code: '' });
  const { problems, attempt } = useProofProblems();
  const factor = useRecord({ key: ['second-factor'], load: getSecondFactor });
  const name = useBackupTexts().name(backup);
  const withCode = factor.value?.isEnrolled === true || problems.code !== undefined;
  return (
    <ConfirmDialog
      title={t('Download the backup of {{name}}?', { name })}
      text={
        backup.encryption === 'none'
          ? t("This backup isn't encrypted. Anyone with the file can read everything in it.")
          : t('Anyone with the file and its passphrase or recovery key can read everything in it.')
      }
      action={t('Download')}
      onConfirm={() => attempt({ password: proof.password }, () => requestBackupDownload(backup.id, proofBody(proof)))}
      onDone={({ address }) => {
        startDownload(address);
        onClose();
      }}
      onClose={onClose}
    >
      <ProofFields proof={proof} onChange={setProof} withCode={withCode} problems={problems} autoFocus={false} />
    </ConfirmDialog>
  );
}

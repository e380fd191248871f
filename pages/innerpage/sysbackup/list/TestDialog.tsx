import Dialog from '@mui/material/Dialog';
import DialogTitle from '@mui/material/DialogTitle';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { testBackup } from '../../../../shared/api/backup/backups.ts';
import { refusedFields } from '../../../../shared/api/refusals.ts';
import type { Backup } from '../../../../shared/protocol/api/system/backups.ts';
import { notify, notifyFailure } from '../../../../shared/ui/notifications.tsx';
import { useIsNarrow } from '../../../../shared/ui/useIsNarrow.ts';
import { KeyStep } from '../restore/KeyStep.tsx';
import { useBackupTexts } from '../words/useBackupTexts.ts';

export interface TestDialogProps {
  readonly backup: Backup;
  readonly onClose: () => void;
}

/** For a backup whose key the installation doesn't have: the test needs it, and the key isn't stored. */
export function TestDialog({ backup, onClose }: TestDialogProps) {
  const { t } = useTranslation('SystemBackup');
  const [isWrong, setWrong] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const name = useBackupTexts().name(backup);
  const titleId = useId();
  const isNarrow = useIsNarrow();
  const test = async (key: string) => {
    setBusy(true);
    const result = await testBackup(backup.id, key);
    setBusy(false);
    if (!result.ok && refusedFields(result).key !== undefined) return setWrong(true);
    if (result.ok) notify('info', t('Test started.'));
    else notifyFailure(result);
    onClose();
  };
  return (
    <Dialog open fullWidth fullScreen={isNarrow} maxWidth="sm" onClose={onClose} aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('Test the backup of {{name}}', { name })}</DialogTitle>
      <KeyStep backup={backup} isWrong={isWrong} isBusy={isBusy} onKey={(key) => void test(key)} onClose={onClose} />
    </Dialog>
  );
}

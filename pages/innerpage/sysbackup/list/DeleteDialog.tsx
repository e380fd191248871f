import { useTranslation } from 'react-i18next';
import { deleteBackup } from '../../../../shared/api/backup/backups.ts';
import type { Backup } from '../../../../shared/protocol/api/system/backups.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { useBackupTexts } from '../words/useBackupTexts.ts';

export interface DeleteDialogProps {
  readonly backup: Backup;
  readonly onClose: () => void;
}

export function DeleteDialog({ backup, onClose }: DeleteDialogProps) {
  const { t } = useTranslation('SystemBackup');
  const name = useBackupTexts().name(backup);
  return (
    <ConfirmDialog
      title={t('Delete the backup of {{name}}?', { name })}
      text={t("The file is deleted from the backup folder. This can't be undone.")}
      action={t('Delete')}
      danger
      onConfirm={() => deleteBackup(backup.id)}
      onDone={() => {
        notify('success', t('Backup deleted.'));
        onClose();
      }}
      onClose={onClose}
    />
  );
}

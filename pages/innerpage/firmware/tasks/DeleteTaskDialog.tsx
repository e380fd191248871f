import { useTranslation } from 'react-i18next';
import { removeFirmwareTask } from '../../../../shared/api/firmware/tasks.ts';
import type { FirmwareTask } from '../../../../shared/protocol/api/firmware/tasks.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';

export interface DeleteTaskDialogProps {
  readonly task: FirmwareTask;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function DeleteTaskDialog({ task, onDone, onClose }: DeleteTaskDialogProps) {
  const { t } = useTranslation('Firmware');
  return (
    <ConfirmDialog
      title={t('Delete {{name}}?', { name: task.name })}
      text={t(
        "The task and the log of its devices are deleted. Devices keep what they have installed. This can't be undone.",
      )}
      action={t('Delete')}
      danger
      onConfirm={() => removeFirmwareTask(task)}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

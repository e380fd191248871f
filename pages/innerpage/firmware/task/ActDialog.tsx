import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { actOnFirmwareTask } from '../../../../shared/api/firmware/tasks.ts';
import type { FirmwareTask } from '../../../../shared/protocol/api/firmware/tasks.ts';
import type { FirmwareTaskAct } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import { ConfirmDialog } from '../../../../shared/ui/ConfirmDialog.tsx';

export interface ActDialogProps {
  readonly task: FirmwareTask;
  readonly act: FirmwareTaskAct;
  readonly onDone: (task: FirmwareTask) => void;
  readonly onClose: () => void;
}

const MAX_REASON = 200;

/**
 * Whether the act is about what the task says, as it was when the dialog was opened: another member's change meanwhile was not seen
 * by whoever confirms. The others are about how far it has come, which changes all the time and mustn't keep anybody from a stop.
 */
const IS_OF_CONTENT: Readonly<Record<FirmwareTaskAct, boolean>> = {
  approve: true,
  start: true,
  pause: false,
  resume: false,
  stop: false,
  retry: false,
};

/** Asks before something is done with a task, and for the reason that its log keeps. */
export function ActDialog({ task, act, onDone, onClose }: ActDialogProps) {
  const { t } = useTranslation('Firmware');
  const { title, text, action } = useActTexts(task)[act];
  const [reason, setReason] = useState('');
  const [isTried, setTried] = useState(false);
  const [readVersion] = useState(task.version);
  const isMissing = isTried && reason.trim() === '';
  const confirm = async () => {
    setTried(true);
    if (reason.trim() === '') return undefined;
    return actOnFirmwareTask(task.id, {
      act,
      reason: reason.trim(),
      version: IS_OF_CONTENT[act] ? readVersion : task.version,
    });
  };
  return (
    <ConfirmDialog
      title={title}
      text={text}
      action={action}
      danger={act === 'stop'}
      onConfirm={confirm}
      onDone={onDone}
      onClose={onClose}
    >
      <TextField
        label={t('Reason')}
        required
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        error={isMissing}
        helperText={isMissing ? t('Enter a reason.') : t('It is kept in the audit log.')}
        slotProps={{ htmlInput: { maxLength: MAX_REASON } }}
        sx={{ mt: 1 }}
      />
    </ConfirmDialog>
  );
}

interface ActTexts {
  readonly title: string;
  readonly text: string;
  readonly action: string;
}

function useActTexts({ name }: FirmwareTask): Readonly<Record<FirmwareTaskAct, ActTexts>> {
  const { t } = useTranslation('Firmware');
  const labels = useActLabels();
  return {
    approve: {
      title: t('Approve {{name}}?', { name }),
      text: t('The task can then be started. A change afterwards makes it a draft again.'),
      action: labels.approve,
    },
    start: {
      title: t('Start {{name}}?', { name }),
      text: t('The devices are determined now. Updates begin with the first stage, in the hours of the task.'),
      action: labels.start,
    },
    pause: {
      title: t('Pause {{name}}?', { name }),
      text: t('Nothing more is sent until you resume the task. Terminals that have the whole image still install it.'),
      action: labels.pause,
    },
    resume: {
      title: t('Resume {{name}}?', { name }),
      text: t('The task goes on where it stopped. Updates in packages start over after a lost connection.'),
      action: labels.resume,
    },
    stop: {
      title: t('Stop {{name}} at once?', { name }),
      text: t(
        "Everything that is being sent is canceled now, and no other device begins. Terminals that have the whole image still install it. This can't be undone.",
      ),
      action: labels.stop,
    },
    retry: {
      title: t('Retry {{name}}?', { name }),
      text: t(
        'Devices that failed, rejected the update or were canceled are queued again, with three new attempts. The task goes on.',
      ),
      action: labels.retry,
    },
  };
}

export function useActLabels(): Readonly<Record<FirmwareTaskAct, string>> {
  const { t } = useTranslation('Firmware');
  return {
    approve: t('Approve'),
    start: t('Start'),
    pause: t('Pause'),
    resume: t('Resume'),
    stop: t('Stop at once'),
    retry: t('Retry'),
  };
}

/** What the notice says once it is done. */
export function useActNotices(): Readonly<Record<FirmwareTaskAct, string>> {
  const { t } = useTranslation('Firmware');
  return {
    approve: t('Task approved.'),
    start: t('Task started.'),
    pause: t('Task paused.'),
    resume: t('Task resumed.'),
    stop: t('Task stopped.'),
    retry: t('Devices queued again.'),
  };
}

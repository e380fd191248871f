import ArrowBack from '@mui/icons-material/ArrowBack';
import Approve from '@mui/icons-material/CheckOutlined';
import Delete from '@mui/icons-material/DeleteOutlined';
import Edit from '@mui/icons-material/EditOutlined';
import Pause from '@mui/icons-material/PauseOutlined';
import Start from '@mui/icons-material/PlayArrowOutlined';
import Retry from '@mui/icons-material/ReplayOutlined';
import Stop from '@mui/icons-material/StopOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { type ReactElement, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FirmwareTask } from '../../../../shared/protocol/api/firmware/tasks.ts';
import type { FirmwareTaskAct } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { DeleteTaskDialog } from '../tasks/DeleteTaskDialog.tsx';
import { ActDialog, useActLabels, useActNotices } from './ActDialog.tsx';
import { actsOf, mayDelete, mayEdit } from './acts.ts';

const TaskDialog = lazyPart('TaskDialog', async () => (await import('../form/TaskDialog.tsx')).TaskDialog);

export interface TaskToolsProps {
  /** Undefined until it is loaded. */
  readonly task: FirmwareTask | undefined;
  readonly onList: () => void;
  readonly onChanged: () => void;
}

/** What can be done with a task, and the way back to all of them. */
export function TaskTools({ task, onList, onChanged }: TaskToolsProps) {
  const { t } = useTranslation('Firmware');
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
      <Button size="small" startIcon={<ArrowBack />} onClick={onList}>
        {t('All tasks')}
      </Button>
      <Box sx={{ flex: 1 }} />
      {task !== undefined && <Tools task={task} onList={onList} onChanged={onChanged} />}
    </Box>
  );
}

const ICONS: Readonly<Record<FirmwareTaskAct, ReactElement>> = {
  approve: <Approve />,
  start: <Start />,
  pause: <Pause />,
  resume: <Start />,
  stop: <Stop />,
  retry: <Retry />,
};

type Opened = FirmwareTaskAct | 'edit' | 'delete';

interface ToolsProps extends TaskToolsProps {
  readonly task: FirmwareTask;
}

function Tools({ task, onList, onChanged }: ToolsProps) {
  const { t } = useTranslation('Firmware');
  const labels = useActLabels();
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  return (
    <>
      {actsOf(task).map((act) => (
        <Button
          key={act}
          size="small"
          variant={act === 'stop' ? 'outlined' : 'contained'}
          color={act === 'stop' ? 'error' : 'primary'}
          startIcon={ICONS[act]}
          onClick={() => setOpened(act)}
        >
          {labels[act]}
        </Button>
      ))}
      {mayEdit(task) && (
        <Button size="small" startIcon={<Edit />} onClick={() => setOpened('edit')}>
          {t('Edit')}
        </Button>
      )}
      {mayDelete(task) && (
        <Button size="small" color="error" startIcon={<Delete />} onClick={() => setOpened('delete')}>
          {t('Delete')}
        </Button>
      )}
      {opened !== undefined && (
        <ToolDialog opened={opened} task={task} onList={onList} onChanged={onChanged} onClose={close} />
      )}
    </>
  );
}

interface ToolDialogProps extends ToolsProps {
  readonly opened: Opened;
  readonly onClose: () => void;
}

function ToolDialog({ opened, task, onList, onChanged, onClose }: ToolDialogProps) {
  const { t } = useTranslation('Firmware');
  const notices = useActNotices();
  const done = (text: string) => {
    onClose();
    notify('success', text);
    onChanged();
  };
  switch (opened) {
    case 'edit':
      return (
        <ChunkBoundary>
          <Suspense fallback={null}>
            <TaskDialog opened={task} onSaved={() => done(t('Task saved.'))} onClose={onClose} />
          </Suspense>
        </ChunkBoundary>
      );
    case 'delete':
      return (
        <DeleteTaskDialog
          task={task}
          onDone={() => {
            notify('success', t('Task deleted.'));
            onList();
          }}
          onClose={onClose}
        />
      );
    default:
      return <ActDialog task={task} act={opened} onDone={() => done(notices[opened])} onClose={onClose} />;
  }
}

import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { getFirmwareTask } from '../../../../shared/api/firmware/tasks.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { TableFailure } from '../../../../shared/ui/table/TableNotices.tsx';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import type { ShownFirmwareView } from '../useFirmwareView.ts';
import { useLiveFirmware } from '../useLiveFirmware.ts';
import { DevicesTable } from './DevicesTable.tsx';
import { StageList } from './StageList.tsx';
import { TaskFacts } from './TaskFacts.tsx';
import { TaskTools } from './TaskTools.tsx';

export interface TaskViewProps {
  readonly number: number;
  readonly shown: ShownFirmwareView;
}

/** One task: how far it has come, what can be done with it, and its devices. The page's address leads back to it. */
export function TaskView({ number, shown }: TaskViewProps) {
  const { t } = useTranslation('Firmware');
  const {
    value: task,
    failure,
    reload,
  } = useRecord({
    key: ['firmware-task', number],
    load: (signal) => getFirmwareTask(number, signal),
    changedBy: ['firmwaretask'],
  });
  useLiveFirmware(reload);
  return (
    <Box sx={VIEW}>
      <TaskTools task={task} onList={() => shown.show({ tab: 'tasks', task: undefined })} onChanged={reload} />
      {failure !== undefined && <TableFailure failure={failure} hasRows={task !== undefined} onRetry={reload} />}
      {task === undefined && failure === undefined && <Waiting />}
      {task !== undefined && (
        <>
          <TaskFacts task={task} />
          <StageList task={task} />
          <DevicesTable task={task} label={t('Devices of the task')} />
        </>
      )}
    </Box>
  );
}

const VIEW = { display: 'flex', flexDirection: 'column', flex: 1, minHeight: 0, minWidth: 0, gap: 1.5 } as const;

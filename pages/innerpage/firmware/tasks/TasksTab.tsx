import Add from '@mui/icons-material/AddOutlined';
import Delete from '@mui/icons-material/DeleteOutlined';
import Edit from '@mui/icons-material/EditOutlined';
import Open from '@mui/icons-material/TableChartOutlined';
import Button from '@mui/material/Button';
import { Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listFirmwareTasks } from '../../../../shared/api/firmware/tasks.ts';
import { FIRMWARE_TASKS_PATH, type FirmwareTask } from '../../../../shared/protocol/api/firmware/tasks.ts';
import { FIRMWARE_TASK_STATES, type FirmwareTaskState } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { dropUnsaved } from '../../../../shared/ui/form/unsaved.ts';
import { notify } from '../../../../shared/ui/notifications.tsx';
import type { RowAction } from '../../../../shared/ui/table/column.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { FilterSelect } from '../../../../shared/ui/table/FilterSelect.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { mayDelete, mayEdit } from '../task/acts.ts';
import type { ShownFirmwareView } from '../useFirmwareView.ts';
import { useLiveFirmware } from '../useLiveFirmware.ts';
import { useTaskStateText } from '../words/taskTexts.ts';
import { DeleteTaskDialog } from './DeleteTaskDialog.tsx';
import { useTaskColumns } from './taskColumns.tsx';

const TaskDialog = lazyPart('TaskDialog', async () => (await import('../form/TaskDialog.tsx')).TaskDialog);

/** `task` is undefined for a new one. */
interface Opened {
  readonly task: FirmwareTask | undefined;
}

/** The member group's tasks, the newest first. */
export function TasksTab({ shown }: { readonly shown: ShownFirmwareView }) {
  const { t } = useTranslation('Firmware');
  const [state, setState] = useState<FirmwareTaskState | ''>('');
  const [opened, setOpened] = useState<Opened>();
  const [deleting, setDeleting] = useState<FirmwareTask>();
  const table = useTable({
    name: 'firmware-tasks',
    load: listFirmwareTasks,
    sorting: { column: 'createdAtMs', descending: true },
    filters: useMemo(() => ({ state }), [state]),
    changedBy: ['firmwaretask'],
  });
  useLiveFirmware(table.reload);
  const open = ({ id }: FirmwareTask) => shown.show({ task: id });
  const actions = useTaskActions({ onOpen: open, onEdit: (task) => setOpened({ task }), onDelete: setDeleting });
  return (
    <>
      <DataTable
        table={table}
        label={t('Tasks')}
        columns={useTaskColumns()}
        rowId={({ id }) => id}
        onOpen={open}
        actions={actions}
        filters={<StateFilter value={state} onChange={setState} />}
        onClearFilters={() => setState('')}
        toolbar={
          <Button variant="contained" size="small" startIcon={<Add />} onClick={() => setOpened({ task: undefined })}>
            {t('New task')}
          </Button>
        }
        emptyHint={t('No tasks yet. Add an image on the tab Images, then a task that installs it.')}
        csvPath={FIRMWARE_TASKS_PATH}
        hasTimes
      />
      <ChunkBoundary>
        <Suspense fallback={null}>
          {opened !== undefined && (
            <TaskDialog
              opened={opened.task}
              onSaved={(task) => {
                // The form itself lets go of what it held only when it is drawn next.
                dropUnsaved();
                notify('success', t('Task saved.'));
                open(task);
              }}
              onClose={() => setOpened(undefined)}
            />
          )}
        </Suspense>
      </ChunkBoundary>
      {deleting !== undefined && (
        <DeleteTaskDialog
          task={deleting}
          onDone={() => {
            setDeleting(undefined);
            notify('success', t('Task deleted.'));
            table.reload();
          }}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  );
}

interface StateFilterProps {
  readonly value: FirmwareTaskState | '';
  readonly onChange: (state: FirmwareTaskState | '') => void;
}

function StateFilter({ value, onChange }: StateFilterProps) {
  const { t } = useTranslation('Firmware');
  const stateText = useTaskStateText();
  return (
    <FilterSelect
      label={t('Status')}
      value={value}
      options={FIRMWARE_TASK_STATES.map((state) => ({ value: state, label: stateText(state) }))}
      onChange={onChange}
    />
  );
}

interface TaskActions {
  readonly onOpen: (task: FirmwareTask) => void;
  readonly onEdit: (task: FirmwareTask) => void;
  readonly onDelete: (task: FirmwareTask) => void;
}

function useTaskActions(on: TaskActions): (task: FirmwareTask) => readonly RowAction[] {
  const { t } = useTranslation('Firmware');
  return (task) => {
    const { name } = task;
    return [
      { icon: <Open />, label: t('Open {{name}}', { name }), onClick: () => on.onOpen(task) },
      {
        icon: <Edit />,
        label: t('Edit {{name}}', { name }),
        inMenu: true,
        disabled: !mayEdit(task),
        onClick: () => on.onEdit(task),
      },
      {
        icon: <Delete />,
        label: t('Delete {{name}}', { name }),
        inMenu: true,
        disabled: !mayDelete(task),
        onClick: () => on.onDelete(task),
      },
    ];
  };
}

import Log from '@mui/icons-material/ListAltOutlined';
import Restart from '@mui/icons-material/RestartAltOutlined';
import Reset from '@mui/icons-material/SettingsBackupRestoreOutlined';
import Alert from '@mui/material/Alert';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listFirmwareDevices } from '../../../../shared/api/firmware/tasks.ts';
import {
  FIRMWARE_DEVICES_PATH,
  type FirmwareDevice,
  type FirmwareTask,
} from '../../../../shared/protocol/api/firmware/tasks.ts';
import {
  FIRMWARE_DEVICE_STATES,
  type FirmwareDeviceState,
  type TerminalRestart,
} from '../../../../shared/protocol/firmware/firmwareWords.ts';
import { notify } from '../../../../shared/ui/notifications.tsx';
import type { RowAction } from '../../../../shared/ui/table/column.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { FilterSelect } from '../../../../shared/ui/table/FilterSelect.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { useLiveFirmware } from '../useLiveFirmware.ts';
import { useDeviceStateText } from '../words/deviceTexts.ts';
import { useDeviceColumns } from './deviceColumns.tsx';
import { RestartDialog } from './RestartDialog.tsx';
import { StepsDialog } from './StepsDialog.tsx';

export interface DevicesTableProps {
  readonly task: FirmwareTask;
  readonly label: string;
}

interface Restarting {
  readonly device: FirmwareDevice;
  readonly act: TerminalRestart;
}

/** The task's devices as they are now. */
export function DevicesTable({ task, label }: DevicesTableProps) {
  const { t } = useTranslation('Firmware');
  const [state, setState] = useState<FirmwareDeviceState | ''>('');
  const [logged, setLogged] = useState<FirmwareDevice>();
  const [restarting, setRestarting] = useState<Restarting>();
  const table = useTable({
    name: 'firmware-devices',
    load: listFirmwareDevices,
    sorting: { column: 'stage', descending: false },
    scope: useMemo(() => ({ task: task.id }), [task.id]),
    filters: useMemo(() => ({ state }), [state]),
  });
  useLiveFirmware(table.reload);
  const hasPackages = table.list.page.rows.some(({ method }) => method === 'packages');
  const isOpen = task.state === 'draft' || task.state === 'approved';
  return (
    <>
      {hasPackages && <Alert severity="info">{t('Updates in packages start over after a lost connection.')}</Alert>}
      <DataTable
        table={table}
        label={label}
        columns={useDeviceColumns(task)}
        rowId={({ id }) => id}
        onOpen={setLogged}
        actions={useDeviceActions(setLogged, setRestarting)}
        filters={<StateFilter value={state} onChange={setState} />}
        onClearFilters={() => setState('')}
        emptyHint={isOpen ? t('The devices are determined when the task starts.') : t('No device fits the image.')}
        csvPath={FIRMWARE_DEVICES_PATH}
        hasTimes
      />
      {logged !== undefined && <StepsDialog device={logged} onClose={() => setLogged(undefined)} />}
      {restarting !== undefined && (
        <RestartDialog
          device={restarting.device}
          act={restarting.act}
          onDone={() => {
            setRestarting(undefined);
            notify('success', t('Command sent to the terminal.'));
          }}
          onClose={() => setRestarting(undefined)}
        />
      )}
    </>
  );
}

interface StateFilterProps {
  readonly value: FirmwareDeviceState | '';
  readonly onChange: (state: FirmwareDeviceState | '') => void;
}

function StateFilter({ value, onChange }: StateFilterProps) {
  const { t } = useTranslation('Firmware');
  const stateText = useDeviceStateText();
  return (
    <FilterSelect
      label={t('Status')}
      value={value}
      options={FIRMWARE_DEVICE_STATES.map((state) => ({ value: state, label: stateText(state) }))}
      onChange={onChange}
    />
  );
}

function useDeviceActions(
  onLog: (device: FirmwareDevice) => void,
  onRestart: (restarting: Restarting) => void,
): (device: FirmwareDevice) => readonly RowAction[] {
  const { t } = useTranslation('Firmware');
  return (device) => {
    const name = device.name || device.deviceid;
    return [
      { icon: <Log />, label: t('Log of {{name}}', { name }), onClick: () => onLog(device) },
      {
        icon: <Restart />,
        label: t('Restart {{name}}', { name }),
        inMenu: true,
        onClick: () => onRestart({ device, act: 'restart' }),
      },
      {
        icon: <Reset />,
        label: t('Reset {{name}} to factory settings', { name }),
        inMenu: true,
        onClick: () => onRestart({ device, act: 'factory-reset' }),
      },
    ];
  };
}

import Log from '@mui/icons-material/ListAltOutlined';
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
} from '../../../../shared/protocol/firmware/firmwareWords.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { FilterSelect } from '../../../../shared/ui/table/FilterSelect.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { useRestarts } from '../restart/useRestarts.tsx';
import { useLiveFirmware } from '../useLiveFirmware.ts';
import { useDeviceStateText } from '../words/deviceTexts.ts';
import { useDeviceColumns } from './deviceColumns.tsx';
import { StepsDialog } from './StepsDialog.tsx';

export interface DevicesTableProps {
  readonly task: FirmwareTask;
  readonly label: string;
}

/** The current devices of the task. */
export function DevicesTable({ task, label }: DevicesTableProps) {
  const { t } = useTranslation('Firmware');
  const [state, setState] = useState<FirmwareDeviceState | ''>('');
  const [logged, setLogged] = useState<FirmwareDevice>();
  const restarts = useRestarts();
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
        actions={(device) => [
          {
            icon: <Log />,
            label: t('Log of {{name}}', { name: device.name || device.deviceid }),
            onClick: () => setLogged(device),
          },
          ...restarts.actionsOf(device),
        ]}
        filters={<StateFilter value={state} onChange={setState} />}
        onClearFilters={() => setState('')}
        emptyHint={isOpen ? t('The devices are determined when the task starts.') : t('No device fits the image.')}
        csvPath={FIRMWARE_DEVICES_PATH}
        hasTimes
      />
      {logged !== undefined && <StepsDialog device={logged} onClose={() => setLogged(undefined)} />}
      {restarts.dialog}
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

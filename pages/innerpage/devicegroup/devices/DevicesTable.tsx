import Add from '@mui/icons-material/Add';
import Delete from '@mui/icons-material/DeleteOutlined';
import DriveFileMove from '@mui/icons-material/DriveFileMoveOutlined';
import NetworkCheck from '@mui/icons-material/NetworkCheck';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listDevices } from '../../../../shared/api/devices/deviceGroup.ts';
import { DEVICE_EDITIONS, DEVICES_PATH, type DeviceRow } from '../../../../shared/protocol/api/devices.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { FilterSelect } from '../../../../shared/ui/table/FilterSelect.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { TERMINALS_EVERY_MS } from '../polling.ts';
import type { Chosen } from '../tree/treeModel.ts';
import type { DeviceTab } from './deviceForm.ts';
import { useFieldLabels, useStateName } from './names.ts';

const STATES = ['online', 'offline', 'never', 'disabled'] as const;
type StateFilter = (typeof STATES)[number] | '';
type EditionFilter = (typeof DEVICE_EDITIONS)[number] | '';

interface Filters {
  readonly state: StateFilter;
  readonly edition: EditionFilter;
}

export function useDeviceTable(chosen: Chosen) {
  const [filters, setFilters] = useState<Filters>({ state: '', edition: '' });
  const table = useTable({
    name: 'devicegroup',
    load: listDevices,
    sorting: { column: 'name', descending: false },
    filters: useMemo(() => ({ ...filters }), [filters]),
    scope: useMemo(() => ({ group: chosen === 'all' ? undefined : chosen }), [chosen]),
    changedBy: ['device', 'group'],
    everyMs: TERMINALS_EVERY_MS,
  });
  return { table, filters, setFilters };
}

export interface DevicesTableProps extends ReturnType<typeof useDeviceTable> {
  readonly chosen: readonly string[];
  readonly onSelect: (deviceids: readonly string[]) => void;
  readonly onAdd: () => void;
  readonly onOpen: (device: DeviceRow, tab: DeviceTab) => void;
  /** `name`: of the one device whose row it was asked in. */
  readonly onMove: (deviceids: readonly string[], name?: string) => void;
  readonly onRemove: (device: DeviceRow) => void;
}

export function DevicesTable(props: DevicesTableProps) {
  const { table, filters, setFilters, chosen, onSelect, onAdd, onOpen, onMove, onRemove } = props;
  const { t } = useTranslation('DeviceGroup');
  const stateName = useStateName();
  const labels = useFieldLabels();
  const add = (
    <Button variant="contained" size="small" startIcon={<Add />} onClick={onAdd}>
      {t('Add device')}
    </Button>
  );
  return (
    <DataTable
      table={table}
      label={t('Devices')}
      columns={useDeviceColumns()}
      rowId={(row) => row.deviceid}
      onOpen={(row) => onOpen(row, 'general')}
      actions={(row) => [
        {
          icon: <NetworkCheck />,
          label: t('Test connection of {{name}}', { name: row.name }),
          onClick: () => onOpen(row, 'connection'),
        },
        {
          icon: <DriveFileMove />,
          label: t('Move {{name}}', { name: row.name }),
          onClick: () => onMove([row.deviceid], row.name),
          inMenu: true,
        },
        {
          icon: <Delete />,
          label: t('Delete {{name}}', { name: row.name }),
          onClick: () => onRemove(row),
          inMenu: true,
        },
      ]}
      selection={chosen}
      onSelect={(ids) => onSelect(ids.map(String))}
      filters={
        <>
          <FilterSelect
            label={t('State')}
            value={filters.state}
            onChange={(state) => setFilters({ ...filters, state })}
            options={STATES.map((value) => ({ value, label: stateName(value) }))}
          />
          <FilterSelect
            label={labels.edition}
            value={filters.edition}
            onChange={(edition) => setFilters({ ...filters, edition })}
            options={DEVICE_EDITIONS.map((value) => ({ value, label: value }))}
          />
          {chosen.length > 0 && (
            <Button size="small" startIcon={<DriveFileMove />} onClick={() => onMove(chosen)}>
              {t('Move selected devices ({{count}})', { count: chosen.length })}
            </Button>
          )}
        </>
      }
      onClearFilters={() => setFilters({ state: '', edition: '' })}
      toolbar={add}
      emptyHint={t('No devices yet. Add one, import a CSV file or adopt an unknown terminal.')}
      emptyAction={add}
      searchHint={t('ID, name, plate number, terminal, model, SIM')}
      csvPath={DEVICES_PATH}
      hasTimes
    />
  );
}

const STATE_COLORS = { online: 'success', offline: 'default', never: 'warning', disabled: 'error' } as const;

function useDeviceColumns(): readonly Column<DeviceRow>[] {
  const { t } = useTranslation('DeviceGroup');
  const label = useFieldLabels();
  const stateName = useStateName();
  const zone = useUserZone();
  const moment = (atMs: number): string => (atMs === 0 ? '' : formatTimestamp(atMs, zone));
  const shownState = (row: DeviceRow) => (row.disabled ? 'disabled' : row.state);
  const state = (row: DeviceRow) => (
    <Chip size="small" variant="outlined" color={STATE_COLORS[shownState(row)]} label={stateName(shownState(row))} />
  );
  const at = { width: 170, hiddenAtFirst: true } as const;
  return [
    { name: 'name', title: label.name, text: (row) => row.name, sortable: true, minWidth: 130 },
    { name: 'deviceid', title: label.deviceid, text: (row) => row.deviceid, sortable: true, width: 110 },
    { name: 'plate', title: label.plate, text: (row) => row.plate, sortable: true, width: 100 },
    { name: 'terminal', title: label.terminal, text: (row) => row.terminal, sortable: true, width: 130 },
    { name: 'group', title: label.group, text: (row) => row.groupName, sortable: true, width: 120 },
    { name: 'state', title: t('State'), text: (row) => stateName(shownState(row)), render: state, width: 110 },
    {
      name: 'edition',
      title: label.edition,
      text: (row) => row.edition,
      sortable: true,
      width: 90,
      hiddenAtFirst: true,
    },
    { name: 'model', title: label.model, text: (row) => row.model, sortable: true, width: 120, hiddenAtFirst: true },
    {
      name: 'chn',
      title: label.chn,
      text: (row) => (row.chn === 0 ? '–' : String(row.chn)),
      sortable: true,
      width: 90,
      align: 'right',
    },
    { name: 'sim', title: label.sim, text: (row) => row.sim, width: 150, hiddenAtFirst: true },
    { name: 'lastMessageAtMs', title: t('Last message'), text: (row) => moment(row.lastMessageAtMs), ...at },
    {
      name: 'changedAtMs',
      title: t('Changed'),
      text: (row) => moment(row.changedAtMs),
      sortable: true,
      isTimestamp: true,
      ...at,
    },
    {
      name: 'createdAtMs',
      title: t('Added'),
      text: (row) => moment(row.createdAtMs),
      sortable: true,
      isTimestamp: true,
      ...at,
    },
  ];
}

import Bolt from '@mui/icons-material/BoltOutlined';
import Schedule from '@mui/icons-material/ScheduleOutlined';
import SimCard from '@mui/icons-material/SimCardOutlined';
import { Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listNetflowDevices } from '../../../../shared/api/netflow/netflow.ts';
import { groupOption, optionsOf } from '../../../../shared/live/fleetOptions.ts';
import { useLiveFleet } from '../../../../shared/live/pageLive.ts';
import type { NetflowDevice } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { notify } from '../../../../shared/ui/notifications.tsx';
import type { RowAction } from '../../../../shared/ui/table/column.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { FilterPick } from '../../../../shared/ui/table/FilterPick.tsx';
import { FilterSelect } from '../../../../shared/ui/table/FilterSelect.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { PLAN_FILTERS, type PlanFilter } from '../netflowAddress.ts';
import { useLiveNetflow } from '../useLiveNetflow.ts';
import type { ShownNetflowView } from '../useNetflowView.ts';
import { useDeviceColumns } from './deviceColumns.tsx';

const HoursDialog = lazyPart('HoursDialog', async () => (await import('./HoursDialog.tsx')).HoursDialog);
const SimDialog = lazyPart('SimDialog', async () => (await import('./SimDialog.tsx')).SimDialog);
const LiftDialog = lazyPart('LiftDialog', async () => (await import('./LiftDialog.tsx')).LiftDialog);

interface Opened {
  readonly kind: 'hours' | 'sim' | 'lift';
  readonly device: NetflowDevice;
}

/** Each device's use of its period against its plan. */
export function DeviceUsage({ shown }: { readonly shown: ShownNetflowView }) {
  const { t } = useTranslation('Netflow');
  const [opened, setOpened] = useState<Opened>();
  const { group, plan } = shown;
  const filters = useMemo(() => ({ group, plan }), [group, plan]);
  const table = useTable({
    name: 'netflow-devices',
    load: listNetflowDevices,
    sorting: { column: 'usedBytes', descending: true },
    filters,
    changedBy: ['simplan', 'device', 'group'],
  });
  useLiveNetflow(table.reload);
  const done = (text: string) => {
    setOpened(undefined);
    notify('success', text);
    table.reload();
  };
  const actions = useDeviceActions(setOpened);
  const device = opened?.device;
  return (
    <>
      <DataTable
        table={table}
        label={t('Devices')}
        columns={useDeviceColumns()}
        rowId={({ deviceid }) => deviceid}
        onOpen={(row) => setOpened({ kind: 'hours', device: row })}
        actions={actions}
        filters={<DeviceFilters shown={shown} />}
        onClearFilters={() => shown.show({ group: '', plan: '' })}
        emptyHint={t('No devices yet. An administrator adds them on the page Device Group.')}
        searchHint={t('Device, plate number, SIM')}
        hasTimes
      />
      <ChunkBoundary>
        <Suspense fallback={null}>
          {opened?.kind === 'hours' && device !== undefined && (
            <HoursDialog device={device} onClose={() => setOpened(undefined)} />
          )}
          {opened?.kind === 'sim' && device !== undefined && (
            <SimDialog device={device} onSaved={() => done(t('SIM saved.'))} onClose={() => setOpened(undefined)} />
          )}
          {opened?.kind === 'lift' && device !== undefined && (
            <LiftDialog
              device={device}
              onDone={(isLifted) => done(isLifted ? t('Limit lifted.') : t('Limit restored.'))}
              onClose={() => setOpened(undefined)}
            />
          )}
        </Suspense>
      </ChunkBoundary>
    </>
  );
}

function DeviceFilters({ shown }: { readonly shown: ShownNetflowView }) {
  const { t } = useTranslation('Netflow');
  const { devices } = useLiveFleet();
  const groups = useMemo(() => optionsOf(devices.values(), groupOption), [devices]);
  const names: Readonly<Record<PlanFilter, string>> = {
    none: t('Without a plan'),
    within: t('Within the plan'),
    near: t('Near the limit'),
    over: t('Used up'),
  };
  return (
    <>
      <FilterPick label={t('Group')} options={groups} value={shown.group} onChange={(group) => shown.show({ group })} />
      <FilterSelect
        label={t('Data plan')}
        value={shown.plan}
        options={PLAN_FILTERS.map((value) => ({ value, label: names[value] }))}
        onChange={(plan) => shown.show({ plan })}
      />
    </>
  );
}

function useDeviceActions(open: (opened: Opened) => void): (device: NetflowDevice) => readonly RowAction[] {
  const { t } = useTranslation('Netflow');
  return (device) => {
    const name = device.name === '' ? device.deviceid : device.name;
    const isLifted = device.liftedUntilMs > Date.now();
    return [
      { icon: <Schedule />, label: t('Hours of {{name}}', { name }), onClick: () => open({ kind: 'hours', device }) },
      {
        icon: <SimCard />,
        label: t('SIM and data plan of {{name}}', { name }),
        inMenu: true,
        onClick: () => open({ kind: 'sim', device }),
      },
      {
        icon: <Bolt />,
        label: isLifted ? t('End the lift of {{name}}', { name }) : t('Lift the limit of {{name}}', { name }),
        inMenu: true,
        disabled: !isLifted && (device.plan === 0 || device.action === 'none'),
        onClick: () => open({ kind: 'lift', device }),
      },
    ];
  };
}

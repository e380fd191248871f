import Devices from '@mui/icons-material/ListAltOutlined';
import Box from '@mui/material/Box';
import { Suspense, useEffect, useEffectEvent, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiResult } from '../../../../shared/api/client.ts';
import { getFirmwareVersions } from '../../../../shared/api/firmware/images.ts';
import type { ListPage, ListQuery } from '../../../../shared/api/list.ts';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { type LocalList, localPage } from '../../../../shared/ui/table/localPage.ts';
import { TableFailure } from '../../../../shared/ui/table/TableNotices.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import type { InstalledVersion } from '../firmwareAddress.ts';
import type { ShownFirmwareView } from '../useFirmwareView.ts';
import { InstalledDevices } from './InstalledDevices.tsx';
import { type VersionRow, versionChart, versionRows } from './versionCounts.ts';

const VersionsChart = lazyPart('VersionsChart', async () => (await import('./VersionsChart.tsx')).VersionsChart);

/** Not with each progress of a task: versions change once an update is verified, and all devices are counted for an answer. */
const PERIOD_MS = 30_000;

export interface VersionsTabProps {
  readonly shown: ShownFirmwareView;
}

/** Which versions the member group's devices have, by model, or the devices with one of them. */
export function VersionsTab({ shown }: VersionsTabProps) {
  const { installed, show } = shown;
  if (installed === undefined) return <AllVersions onOpen={(version) => show({ installed: version })} />;
  return <InstalledDevices version={installed} onAll={() => show({ installed: undefined })} />;
}

interface AllVersionsProps {
  readonly onOpen: (version: InstalledVersion) => void;
}

function AllVersions({ onOpen }: AllVersionsProps) {
  const { value, failure, reload } = useRecord({
    key: ['firmware-versions'],
    load: getFirmwareVersions,
    changedBy: ['device'],
    everyMs: PERIOD_MS,
  });
  const rows = useMemo(() => value && versionRows(value), [value]);
  return (
    <>
      {failure !== undefined && <TableFailure failure={failure} hasRows={value !== undefined} onRetry={reload} />}
      {rows === undefined && failure === undefined && <Waiting />}
      {rows !== undefined && <Versions rows={rows} onOpen={onOpen} />}
    </>
  );
}

interface VersionsProps extends AllVersionsProps {
  readonly rows: readonly VersionRow[];
}

function Versions({ rows, onOpen }: VersionsProps) {
  const { t } = useTranslation('Firmware');
  const unknown = t('Not reported');
  const chart = useMemo(() => versionChart(rows), [rows]);
  const table = useTable({
    name: 'firmware-versions',
    load: async (query: ListQuery): Promise<ApiResult<ListPage<VersionRow>>> => ({
      ok: true,
      value: localPage(versionList(rows, unknown), query),
    }),
    sorting: { column: 'devices', descending: true },
  });
  const open = ({ manufacturer, model, firmwareVersion }: VersionRow) =>
    onOpen({ manufacturer, model, firmwareVersion });
  const reload = useEffectEvent(() => table.reload());
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are the reason to list them again
  useEffect(() => reload(), [rows]);
  return (
    <>
      {rows.length > 0 && (
        <ChunkBoundary>
          <Suspense fallback={<Box sx={{ height: 220, flexShrink: 0 }} />}>
            <VersionsChart chart={chart} unknown={unknown} />
          </Suspense>
        </ChunkBoundary>
      )}
      <DataTable
        table={table}
        label={t('Versions')}
        columns={useVersionColumns(unknown)}
        rowId={({ key }) => key}
        onOpen={open}
        actions={(row) => [
          {
            icon: <Devices />,
            label: t('Show devices with {{version}}', { version: row.firmwareVersion || unknown }),
            onClick: () => open(row),
          },
        ]}
        actionCount={1}
        emptyHint={t('No devices yet. Their versions appear here once their terminals have reported them.')}
      />
    </>
  );
}

function versionList(rows: readonly VersionRow[], unknown: string): LocalList<VersionRow> {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const tie = (left: VersionRow, right: VersionRow) => compare(left.key, right.key);
  return {
    rows,
    keyOf: ({ key }) => key,
    texts: ({ manufacturer, model, firmwareVersion }) => [manufacturer, model || unknown, firmwareVersion || unknown],
    matches: () => true,
    orders: {
      model: (left, right) => compare(left.model, right.model) || tie(left, right),
      manufacturer: (left, right) => compare(left.manufacturer, right.manufacturer) || tie(left, right),
      firmwareVersion: (left, right) => compare(left.firmwareVersion, right.firmwareVersion) || tie(left, right),
      devices: (left, right) => left.devices - right.devices || tie(left, right),
    },
  };
}

function useVersionColumns(unknown: string): readonly Column<VersionRow>[] {
  const { t } = useTranslation('Firmware');
  return [
    { name: 'model', title: t('Model'), text: ({ model }) => model || unknown, sortable: true, minWidth: 140 },
    {
      name: 'manufacturer',
      title: t('Manufacturer ID'),
      text: ({ manufacturer }) => manufacturer,
      sortable: true,
      width: 170,
    },
    {
      name: 'firmwareVersion',
      title: t('Version'),
      text: ({ firmwareVersion }) => firmwareVersion || unknown,
      sortable: true,
      minWidth: 140,
    },
    {
      name: 'devices',
      title: t('Devices'),
      text: ({ devices }) => devices.toLocaleString('en-US'),
      sortable: true,
      width: 130,
      align: 'right',
    },
    {
      name: 'share',
      title: t('Share of the model'),
      text: ({ share }) => `${(share * 100).toFixed(1)}%`,
      width: 180,
      align: 'right',
    },
  ];
}

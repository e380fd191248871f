import ArrowBack from '@mui/icons-material/ArrowBack';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { listInstalledDevices } from '../../../../shared/api/firmware/images.ts';
import { FIRMWARE_INSTALLED_PATH, type InstalledDevice } from '../../../../shared/protocol/api/firmware/images.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import type { InstalledVersion } from '../firmwareAddress.ts';
import { useRestarts } from '../restart/useRestarts.tsx';
import { deviceText } from '../words/deviceTexts.ts';

export interface InstalledDevicesProps {
  readonly version: InstalledVersion;
  readonly onAll: () => void;
}

/** Terminals come and go without an edit of a record. */
const PERIOD_MS = 30_000;

/** The devices with one version, each of which can be restarted. */
export function InstalledDevices({ version, onAll }: InstalledDevicesProps) {
  const { t } = useTranslation('Firmware');
  const { manufacturer, model, firmwareVersion } = version;
  const restarts = useRestarts();
  const table = useTable({
    name: 'firmware-installed',
    load: listInstalledDevices,
    sorting: { column: 'name', descending: false },
    scope: useMemo(() => ({ manufacturer, model, firmwareVersion }), [manufacturer, model, firmwareVersion]),
    changedBy: ['device'],
    everyMs: PERIOD_MS,
  });
  const title = t('Devices with {{version}}', {
    version: [manufacturer, model, firmwareVersion].filter((text) => text !== '').join(' ') || t('Not reported'),
  });
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Button size="small" startIcon={<ArrowBack />} onClick={onAll}>
          {t('All versions')}
        </Button>
        <Typography component="h2" sx={{ fontSize: 16, fontWeight: 650, overflowWrap: 'anywhere' }}>
          {title}
        </Typography>
      </Box>
      <DataTable
        table={table}
        label={title}
        columns={useInstalledColumns()}
        rowId={({ deviceid }) => deviceid}
        actions={restarts.actionsOf}
        emptyHint={t('No device has this version any more.')}
        searchHint={t('Device, plate number')}
        csvPath={FIRMWARE_INSTALLED_PATH}
        hasTimes
      />
      {restarts.dialog}
    </>
  );
}

function useInstalledColumns(): readonly Column<InstalledDevice>[] {
  const { t } = useTranslation('Firmware');
  const zone = useUserZone();
  const statusText = ({ isOnline }: InstalledDevice) => (isOnline ? t('Online') : t('Offline'));
  return [
    { name: 'name', title: t('Device'), text: deviceText, sortable: true, minWidth: 150 },
    {
      name: 'status',
      title: t('Status'),
      text: statusText,
      render: (device) => (
        <Chip
          size="small"
          variant="outlined"
          color={device.isOnline ? 'success' : 'default'}
          label={statusText(device)}
        />
      ),
      width: 120,
    },
    {
      name: 'hardwareVersion',
      title: t('Hardware version'),
      text: ({ hardwareVersion }) => hardwareVersion,
      width: 180,
    },
    {
      name: 'reportedAtMs',
      title: t('Reported'),
      text: ({ reportedAtMs }) => (reportedAtMs === 0 ? '' : formatTimestamp(reportedAtMs, zone)),
      sortable: true,
      isTimestamp: true,
      width: 175,
    },
  ];
}

import Box from '@mui/material/Box';
import { useMemo } from 'react';
import { reportColumnText } from '../../../../shared/i18n/reportText.ts';
import { useLiveFleet } from '../../../../shared/live/pageLive.ts';
import type { ReportColumn, ReportKindInfo, ReportRow } from '../../../../shared/protocol/api/reports/reports.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { useEventNames } from '../../../../shared/ui/events/useEventNames.ts';
import type { Column } from '../../../../shared/ui/table/column.ts';
import { gpsPlaybackLink } from '../../../../shared/ui/tracks/playbackLink.ts';
import { type CellTexts, cellText, isNumeric } from './cellText.ts';

const WIDTHS: Partial<Readonly<Record<ReportColumn['type'], number>>> = { time: 175, day: 120, duration: 110 };
/** Before and after the moment that a row leads to. */
const AROUND_MS = 15 * 60_000;

export function useResultColumns(info: ReportKindInfo | undefined): readonly Column<ReportRow>[] {
  const texts = useCellTexts();
  if (info === undefined) return [];
  return info.columns.map((column, at) => {
    const text = ({ values }: ReportRow): string => cellText(column, values[at] ?? null, texts);
    const width = WIDTHS[column.type];
    return {
      name: column.name,
      title: reportColumnText(column.name),
      text,
      sortable: true,
      align: isNumeric(column) ? 'right' : 'left',
      ...(width === undefined ? { minWidth: isNumeric(column) ? 100 : 140 } : { width }),
      ...(column.name === info.moment && {
        render: (row: ReportRow) => <MomentLink row={row} at={at} text={text(row)} />,
      }),
    };
  });
}

/** To GPS Playback, with the device at that moment. */
function MomentLink({ row, at, text }: { readonly row: ReportRow; readonly at: number; readonly text: string }) {
  const atMs = row.values[at];
  if (row.deviceid === '' || typeof atMs !== 'number' || atMs === 0) return text;
  const link = gpsPlaybackLink({
    deviceId: row.deviceid,
    fromMs: atMs - AROUND_MS,
    toMs: atMs + AROUND_MS,
    atMs,
  });
  return (
    <Box component="a" {...link} sx={{ color: 'primary.main' }}>
      {text}
    </Box>
  );
}

export function useCellTexts(): CellTexts {
  const zone = useUserZone();
  const { devices } = useLiveFleet();
  const { nameOf } = useEventNames();
  return useMemo(
    () => ({
      zone,
      deviceName: (deviceId) => devices.get(deviceId)?.name || deviceId,
      eventName: nameOf,
    }),
    [zone, devices, nameOf],
  );
}

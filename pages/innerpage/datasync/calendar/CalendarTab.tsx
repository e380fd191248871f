import ChevronLeft from '@mui/icons-material/ChevronLeft';
import ChevronRight from '@mui/icons-material/ChevronRight';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getSyncCalendar } from '../../../../shared/api/sync.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import { deviceOption, optionsOf } from '../../../../shared/live/fleetOptions.ts';
import { useLiveFleet } from '../../../../shared/live/pageLive.ts';
import { formatDay, formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { ChunkBoundary, lazyPart } from '../../../../shared/ui/chunks.tsx';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { FilterPick } from '../../../../shared/ui/table/FilterPick.tsx';
import { openVideo } from '../../../../shared/ui/video/openVideo.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import { useLiveSync } from '../useLiveSync.ts';
import type { ShownSyncView } from '../useSyncView.ts';
import { type DaySpan, DayStrips } from './DayStrips.tsx';
import { MonthGrid } from './MonthGrid.tsx';
import { monthAfter, monthOf } from './months.ts';
import { PlaceLegend } from './PlaceLegend.tsx';

const FetchDialog = lazyPart(
  'FetchDialog',
  async () => (await import('../../../../shared/ui/sync/FetchDialog.tsx')).FetchDialog,
);

/** What a device has, what the server has of it, and what is missing: by month, and by day. */
export function CalendarTab({ shown }: { readonly shown: ShownSyncView }) {
  const { t } = useTranslation('Datasync');
  const zone = useUserZone();
  const { devices } = useLiveFleet();
  const options = useMemo(() => optionsOf(devices.values(), deviceOption), [devices]);
  const device = shown.device === '' ? (options[0]?.value ?? '') : shown.device;
  const month = shown.month === '' ? monthOf(formatDay(Date.now(), zone)) : shown.month;
  const openSpan = useOpenSpan(device);
  return (
    <Box sx={{ display: 'grid', gap: 1.5, alignContent: 'start', overflow: 'auto', minHeight: 0, flex: 1 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, pt: 0.75 }}>
        <FilterPick
          label={t('Device')}
          options={options}
          value={device}
          onChange={(next) => shown.show({ device: next, day: '' })}
        />
        <MonthChoice month={month} onMonth={(next) => shown.show({ month: next, day: '' })} />
      </Box>
      <PlaceLegend />
      {device === '' ? (
        <Box sx={{ color: 'text.secondary' }}>{t('Select a device.')}</Box>
      ) : (
        <Month
          deviceid={device}
          month={month}
          channelCount={devices.get(device)?.chn ?? 0}
          day={shown.day}
          onDay={(day) => shown.show({ day })}
        />
      )}
      {device !== '' && shown.day !== '' && <DayStrips deviceid={device} day={shown.day} onSpan={openSpan.choose} />}
      {openSpan.dialog}
    </Box>
  );
}

interface MonthChoiceProps {
  readonly month: string;
  readonly onMonth: (month: string) => void;
}

function MonthChoice({ month, onMonth }: MonthChoiceProps) {
  const { t } = useTranslation('Datasync');
  return (
    <Box sx={{ display: 'flex', alignItems: 'center' }}>
      <IconButton aria-label={t('Previous month')} onClick={() => onMonth(monthAfter(month, -1))}>
        <ChevronLeft />
      </IconButton>
      <Box role="status" sx={{ minWidth: 80, textAlign: 'center', fontVariantNumeric: 'tabular-nums' }}>
        {month}
      </Box>
      <IconButton aria-label={t('Next month')} onClick={() => onMonth(monthAfter(month, 1))}>
        <ChevronRight />
      </IconButton>
    </Box>
  );
}

interface MonthProps {
  readonly deviceid: string;
  readonly month: string;
  readonly channelCount: number;
  readonly day: string;
  readonly onDay: (day: string) => void;
}

function Month({ deviceid, month, channelCount, day, onDay }: MonthProps) {
  const { t } = useTranslation('Datasync');
  const zone = useUserZone();
  const { value, failure, reload } = useRecord({
    key: ['sync-calendar', deviceid, month, zone],
    load: (signal) => getSyncCalendar({ deviceid, month, timeZone: zone }, signal),
  });
  useLiveSync(reload);
  if (failure !== undefined && value === undefined) return <Alert severity="error">{errorText(failure)}</Alert>;
  if (value === undefined) return <Waiting />;
  const { listedAtMs } = value;
  return (
    <>
      <MonthGrid month={month} days={value.days} channelCount={channelCount} chosen={day} onDay={onDay} />
      <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
        {listedAtMs === 0
          ? t('The device has not listed its recordings yet. It is asked when it is online.')
          : t('The device last listed its recordings at {{time}}.', { time: formatTimestamp(listedAtMs, zone) })}
      </Box>
    </>
  );
}

const MAX_REMOTE_SECONDS = 3_600;

/** Plays a span where it is, or asks to fetch one that is nowhere to be played. */
function useOpenSpan(device: string) {
  const { t } = useTranslation('Datasync');
  const [asked, setAsked] = useState<DaySpan>();
  const blocked = t('The browser blocked the window. Allow pop-ups for this site.');
  const choose = (span: DaySpan) => {
    const { place, fromMs, toMs, channel } = span;
    if (place === 'server' || place === 'both') void openVideo(device, { kind: 'local', startMs: fromMs }, blocked);
    else if (place === 'device') {
      const durationSeconds = Math.min(MAX_REMOTE_SECONDS, Math.max(1, Math.round((toMs - fromMs) / 1_000)));
      void openVideo(device, { kind: 'remote', startMs: fromMs, durationSeconds, channel }, blocked);
    } else setAsked(span);
  };
  const dialog = (
    <ChunkBoundary>
      <Suspense fallback={null}>
        {asked !== undefined && (
          <FetchDialog
            draft={{ deviceid: device, channels: [String(asked.channel)], fromMs: asked.fromMs, toMs: asked.toMs }}
            onRequested={() => setAsked(undefined)}
            onClose={() => setAsked(undefined)}
          />
        )}
      </Suspense>
    </ChunkBoundary>
  );
  return { choose, dialog };
}

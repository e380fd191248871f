import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { getSyncDay } from '../../../../shared/api/sync.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import { syncPlaceText } from '../../../../shared/i18n/syncText.ts';
import type { SyncDay } from '../../../../shared/protocol/api/sync/sync.ts';
import { endOfDay, formatClock, startOfDay } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import { useLiveSync } from '../useLiveSync.ts';
import { PLACE_LOOKS } from './placeLooks.ts';

export type DaySpan = SyncDay[number]['spans'][number] & { readonly channel: number };

export interface DayStripsProps {
  readonly deviceid: string;
  readonly day: string;
  /** A span was chosen: to be played, or fetched. */
  readonly onSpan: (span: DaySpan) => void;
}

/** A day of a device, channel by channel: what of it is where. */
export function DayStrips({ deviceid, day, onSpan }: DayStripsProps) {
  const { t } = useTranslation('Datasync');
  const zone = useUserZone();
  const titleId = useId();
  const { value, failure, reload } = useRecord({
    key: ['sync-day', deviceid, day, zone],
    load: (signal) => getSyncDay({ deviceid, day, timeZone: zone }, signal),
  });
  useLiveSync(reload);
  const fromMs = startOfDay(day, zone) ?? 0;
  const toMs = endOfDay(day, zone) ?? fromMs + 1;
  return (
    <Box component="section" aria-labelledby={titleId} sx={{ display: 'grid', gap: 1, minWidth: 0 }}>
      <Typography id={titleId} component="h2" sx={{ fontSize: 15, fontWeight: 650 }}>
        {day}
      </Typography>
      {failure !== undefined && <Alert severity="error">{errorText(failure)}</Alert>}
      {value === undefined && failure === undefined && <Waiting />}
      {value?.every(({ spans }) => spans.length === 0) === true && (
        <Box sx={{ color: 'text.secondary' }}>{t('Nothing was recorded on this day.')}</Box>
      )}
      {value
        ?.filter(({ spans }) => spans.length > 0)
        .map(({ channel, spans }) => (
          <Box key={channel} sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
            <Box sx={{ width: 90, flexShrink: 0, fontSize: 13 }}>{t('Channel {{channel}}', { channel })}</Box>
            <Box role="group" aria-label={t('Channel {{channel}}', { channel })} sx={STRIP}>
              {spans.map((span) => (
                <Span
                  key={span.fromMs}
                  span={{ ...span, channel }}
                  left={(span.fromMs - fromMs) / (toMs - fromMs)}
                  width={(span.toMs - span.fromMs) / (toMs - fromMs)}
                  onSpan={onSpan}
                />
              ))}
            </Box>
          </Box>
        ))}
      <Box aria-hidden="true" sx={{ display: 'flex', ml: '98px', fontSize: 12, color: 'text.secondary' }}>
        {['00:00', '06:00', '12:00', '18:00'].map((text) => (
          <Box key={text} sx={{ flex: 1 }}>
            {text}
          </Box>
        ))}
      </Box>
    </Box>
  );
}

interface SpanProps {
  readonly span: DaySpan;
  /** Shares of the strip. */
  readonly left: number;
  readonly width: number;
  readonly onSpan: (span: DaySpan) => void;
}

function Span({ span, left, width, onSpan }: SpanProps) {
  const zone = useUserZone();
  const { background, border } = PLACE_LOOKS[span.place];
  const text = `${formatClock(span.fromMs, zone)} – ${formatClock(span.toMs, zone)}: ${syncPlaceText(span.place)}`;
  return (
    <ButtonBase
      aria-label={text}
      title={text}
      onClick={() => onSpan(span)}
      sx={{
        position: 'absolute',
        top: 0,
        bottom: 0,
        left: `${left * 100}%`,
        width: `max(${width * 100}%, 4px)`,
        background,
        border: `1px solid ${border}`,
        '&:focus-visible': { outline: '2px solid', outlineColor: 'text.primary', outlineOffset: 1, zIndex: 1 },
      }}
    />
  );
}

const STRIP = {
  position: 'relative',
  flex: 1,
  minWidth: 0,
  height: 28,
  borderRadius: 0.5,
  backgroundColor: 'action.hover',
  overflow: 'hidden',
} as const;

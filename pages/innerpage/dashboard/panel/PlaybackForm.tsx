import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { DateTimePicker } from '@mui/x-date-pickers/DateTimePicker';
import dayjs from 'dayjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MOMENT_PATTERN } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { zoneLabel } from '../../../../shared/time/zones.ts';
import { PickerTexts } from '../../../../shared/ui/form/PickerTexts.tsx';
import type { VideoTarget } from '../../../../shared/ui/video/videoAddress.ts';
import { ChannelSelect } from '../ChannelSelect.tsx';

export interface PlaybackFormProps {
  readonly channels: number;
  readonly isOnline: boolean;
  readonly onOpen: (target: VideoTarget) => void;
}

const FIVE_MINUTES_MS = 5 * 60_000;
const DURATIONS_S = [60, 300, 600, 1_800] as const;

/** From when on: recordings of the server, or of the device itself. */
export function PlaybackForm({ channels, isOnline, onOpen }: PlaybackFormProps) {
  const { t } = useTranslation('Dashboard');
  const zone = useUserZone();
  const [startMs, setStart] = useState(() => Date.now() - FIVE_MINUTES_MS);
  const [channel, setChannel] = useState(1);
  const [durationSeconds, setDuration] = useState<number>(DURATIONS_S[1]);
  const isTime = Number.isFinite(startMs);
  return (
    <Box component="form" aria-label={t('Recordings')} sx={FORM} onSubmit={(event) => event.preventDefault()}>
      <PickerTexts>
        <DateTimePicker
          label={t('Start')}
          value={isTime ? dayjs(startMs).tz(zone) : null}
          onChange={(value) => setStart(value?.valueOf() ?? Number.NaN)}
          timezone={zone}
          ampm={false}
          disableFuture
          views={['year', 'month', 'day', 'hours', 'minutes', 'seconds']}
          format={MOMENT_PATTERN}
          slotProps={{ textField: { size: 'small', fullWidth: true, helperText: zoneLabel(zone, Date.now()) } }}
        />
      </PickerTexts>
      <Button variant="outlined" size="small" disabled={!isTime} onClick={() => onOpen({ kind: 'local', startMs })}>
        {t('Play from server')}
      </Button>
      <Box sx={{ display: 'flex', gap: 1 }}>
        <ChannelSelect value={channel} count={channels} onChange={setChannel} />
        <TextField
          select
          fullWidth
          label={t('Length')}
          value={durationSeconds}
          onChange={(event) => setDuration(Number(event.target.value))}
        >
          {DURATIONS_S.map((seconds) => (
            <MenuItem key={seconds} value={seconds}>
              {t('{{minutes}} min', { minutes: seconds / 60 })}
            </MenuItem>
          ))}
        </TextField>
      </Box>
      <Button
        variant="outlined"
        size="small"
        disabled={!isTime || !isOnline}
        onClick={() => onOpen({ kind: 'remote', startMs, durationSeconds, channel })}
      >
        {t('Play from device')}
      </Button>
    </Box>
  );
}

const FORM = {
  display: 'flex',
  flexDirection: 'column',
  gap: 1.25,
  pt: 1.5,
  borderTop: 1,
  borderColor: 'divider',
} as const;

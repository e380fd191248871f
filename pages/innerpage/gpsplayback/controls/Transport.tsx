import NextEventIcon from '@mui/icons-material/FastForward';
import PreviousEventIcon from '@mui/icons-material/FastRewind';
import PreviousPointIcon from '@mui/icons-material/NavigateBefore';
import NextPointIcon from '@mui/icons-material/NavigateNext';
import PauseIcon from '@mui/icons-material/Pause';
import PlayIcon from '@mui/icons-material/PlayArrow';
import NextStopIcon from '@mui/icons-material/SkipNext';
import PreviousStopIcon from '@mui/icons-material/SkipPrevious';
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import IconButton from '@mui/material/IconButton';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import Tooltip from '@mui/material/Tooltip';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CLOCK_SPEEDS } from '../clock/clockState.ts';
import { useClock, useClockState } from '../clock/useClock.ts';
import { run, type StepTargets, type TrackCommand } from './trackCommands.ts';

/** Play, speed, and the way from one point, stop or event to the next. */
export function Transport({ targets }: { readonly targets: StepTargets }) {
  const { t } = useTranslation('GpsPlayback');
  const clock = useClock();
  const { isPlaying } = useClockState();
  const press = (command: TrackCommand) => () => run(command, clock, targets);
  return (
    <Box role="group" aria-label={t('Controls')} sx={ROW}>
      <Press label={t('Previous event')} shortcut="{" onPress={press({ type: 'step', kind: 'event', direction: -1 })}>
        <PreviousEventIcon />
      </Press>
      <Press label={t('Previous stop')} shortcut="[" onPress={press({ type: 'step', kind: 'stop', direction: -1 })}>
        <PreviousStopIcon />
      </Press>
      <Press label={t('Previous point')} shortcut="," onPress={press({ type: 'step', kind: 'point', direction: -1 })}>
        <PreviousPointIcon />
      </Press>
      <Press
        label={isPlaying ? t('Pause') : t('Play')}
        shortcut={isPlaying ? 'K' : 'L'}
        isMain
        onPress={press({ type: 'toggle' })}
      >
        {isPlaying ? <PauseIcon /> : <PlayIcon />}
      </Press>
      <Press label={t('Next point')} shortcut="." onPress={press({ type: 'step', kind: 'point', direction: 1 })}>
        <NextPointIcon />
      </Press>
      <Press label={t('Next stop')} shortcut="]" onPress={press({ type: 'step', kind: 'stop', direction: 1 })}>
        <NextStopIcon />
      </Press>
      <Press label={t('Next event')} shortcut="}" onPress={press({ type: 'step', kind: 'event', direction: 1 })}>
        <NextEventIcon />
      </Press>
      <SpeedAndSkip />
    </Box>
  );
}

function SpeedAndSkip() {
  const { t } = useTranslation('GpsPlayback');
  const clock = useClock();
  const { speed, skips } = useClockState();
  return (
    <>
      <TextField
        select
        label={t('Speed')}
        value={speed}
        onChange={(event) => clock.setSpeed(Number(event.target.value))}
        slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
        sx={{ width: 84, ml: 0.5 }}
      >
        {CLOCK_SPEEDS.map((each) => (
          <option key={each} value={each}>{`${each}×`}</option>
        ))}
      </TextField>
      <FormControlLabel
        control={<Switch size="small" checked={skips} onChange={(_event, isOn) => clock.setSkips(isOn)} />}
        label={t('Skip stops and gaps')}
        sx={{ ml: 0, mr: 0, '& .MuiFormControlLabel-label': { fontSize: 13, ml: 0.5 } }}
      />
    </>
  );
}

interface PressProps {
  readonly label: string;
  readonly shortcut: string;
  readonly isMain?: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

function Press({ label, shortcut, isMain = false, onPress, children }: PressProps) {
  return (
    <Tooltip title={`${label} (${shortcut})`}>
      <IconButton
        size="small"
        aria-label={label}
        aria-keyshortcuts={shortcut}
        color={isMain ? 'primary' : 'default'}
        onClick={onPress}
      >
        {children}
      </IconButton>
    </Tooltip>
  );
}

const ROW = { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 0.25 } as const;

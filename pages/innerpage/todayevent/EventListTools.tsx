import KeyboardIcon from '@mui/icons-material/KeyboardOutlined';
import PauseIcon from '@mui/icons-material/Pause';
import PlayIcon from '@mui/icons-material/PlayArrow';
import MutedIcon from '@mui/icons-material/VolumeOffOutlined';
import SoundIcon from '@mui/icons-material/VolumeUpOutlined';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useTranslation } from 'react-i18next';
import { useLiveState } from '../../../shared/live/pageLive.ts';
import { LiveBadge } from '../../../shared/ui/frame/LiveBadge.tsx';
import type { NewSound } from './useNewSound.ts';

export interface EventListToolsProps {
  readonly sound: NewSound;
  readonly isPaused: boolean;
  readonly onPause: (isPaused: boolean) => void;
  readonly onHelp: () => void;
}

/** How the list runs: live or paused, with sound or without. */
export function EventListTools({ sound, isPaused, onPause, onHelp }: EventListToolsProps) {
  const { t } = useTranslation('TodayEvent');
  const live = useLiveState();
  return (
    <Box sx={TOOLS}>
      <LiveBadge state={live} />
      {sound.isBlocked && !sound.isMuted && (
        <Button size="small" color="warning" variant="outlined" onClick={() => sound.setMuted(false)}>
          {t('Turn on sound')}
        </Button>
      )}
      <Tooltip title={sound.isMuted ? t('Sound is off') : t('Sound is on')}>
        <IconButton
          size="small"
          aria-label={t('Mute')}
          aria-pressed={sound.isMuted}
          onClick={() => sound.setMuted(!sound.isMuted)}
        >
          {sound.isMuted ? <MutedIcon /> : <SoundIcon />}
        </IconButton>
      </Tooltip>
      <Button
        size="small"
        variant={isPaused ? 'contained' : 'outlined'}
        startIcon={isPaused ? <PlayIcon /> : <PauseIcon />}
        onClick={() => onPause(!isPaused)}
      >
        {isPaused ? t('Resume') : t('Pause')}
      </Button>
      <Tooltip title={t('Keyboard shortcuts')}>
        <IconButton size="small" aria-label={t('Keyboard shortcuts')} onClick={onHelp} sx={KEYBOARD}>
          <KeyboardIcon />
        </IconButton>
      </Tooltip>
    </Box>
  );
}

const TOOLS = { display: 'flex', alignItems: 'center', gap: 0.75, ml: 'auto', flexShrink: 0 } as const;
// A phone has no keys.
const KEYBOARD = { display: { xs: 'none', sm: 'inline-flex' } } as const;

import PrintIcon from '@mui/icons-material/PrintOutlined';
import RefreshIcon from '@mui/icons-material/Refresh';
import VideocamIcon from '@mui/icons-material/VideocamOutlined';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import ToggleButton from '@mui/material/ToggleButton';
import Tooltip from '@mui/material/Tooltip';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TimeRange } from './clock/ranges.ts';
import { ExportMenu } from './export/ExportMenu.tsx';
import type { PlaybackView } from './view/playbackAddress.ts';

export interface PlaybackToolsProps {
  readonly tools: ReactNode;
  readonly view: PlaybackView;
  /** What of the time is shown. */
  readonly range: TimeRange;
  readonly hasVideo: boolean;
  readonly canExport: boolean;
  readonly onVideo: (hasVideo: boolean) => void;
  readonly onExportVideo: () => void;
  readonly onRenew: () => void;
}

/** What is shown, and what is done with all of it. */
export function PlaybackTools({ tools, view, range, hasVideo, canExport, onVideo, ...acts }: PlaybackToolsProps) {
  const { t } = useTranslation('GpsPlayback');
  return (
    <Box sx={TOOLS}>
      {tools}
      <Box sx={{ flex: 1 }} />
      <ToggleButton value="video" size="small" selected={hasVideo} onChange={() => onVideo(!hasVideo)} sx={TOGGLE}>
        <VideocamIcon fontSize="small" />
        {t('Video')}
      </ToggleButton>
      {canExport && <ExportMenu deviceId={view.chosenId} range={range} onVideo={acts.onExportVideo} />}
      <Tooltip title={t('Print')}>
        <IconButton size="small" aria-label={t('Print')} onClick={() => window.print()}>
          <PrintIcon fontSize="small" />
        </IconButton>
      </Tooltip>
      <Tooltip title={t('Refresh')}>
        <IconButton size="small" aria-label={t('Refresh')} onClick={acts.onRenew}>
          <RefreshIcon fontSize="small" />
        </IconButton>
      </Tooltip>
    </Box>
  );
}

const TOOLS = {
  gridArea: 'tools',
  // Room for the labels in the upper edges of the fields, which the page would cut off.
  pt: 1,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 1,
  '@media print': { display: 'none' },
} as const;
const TOGGLE = { py: 0.375, gap: 0.5, textTransform: 'none' } as const;

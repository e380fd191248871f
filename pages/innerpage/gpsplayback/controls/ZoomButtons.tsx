import ZoomInIcon from '@mui/icons-material/ZoomIn';
import ZoomOutIcon from '@mui/icons-material/ZoomOut';
import ZoomResetIcon from '@mui/icons-material/ZoomOutMap';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useTranslation } from 'react-i18next';
import type { TimeRange } from '../clock/ranges.ts';
import { useClock } from '../clock/useClock.ts';
import { zoomedBy } from '../slider/sliderScale.ts';

export interface ZoomButtonsProps {
  readonly span: TimeRange;
  readonly view: TimeRange;
  readonly onZoom: (range: TimeRange) => void;
}

/** What of the span slider, chart and map show. */
export function ZoomButtons({ span, view, onZoom }: ZoomButtonsProps) {
  const { t } = useTranslation('GpsPlayback');
  const clock = useClock();
  const zoom = (factor: number) => () => onZoom(zoomedBy(span, view, factor, clock.state.positionMs));
  const buttons = [
    [t('Zoom time out'), ZoomOutIcon, zoom(0.5), view === span],
    [t('Zoom time in'), ZoomInIcon, zoom(2), false],
    [t('Show whole period'), ZoomResetIcon, () => onZoom(span), view === span],
  ] as const;
  return (
    <Box role="group" aria-label={t('Time shown')} sx={{ display: 'flex' }}>
      {buttons.map(([label, Icon, press, isOff]) => (
        <Tooltip key={label} title={label}>
          {/* A button that is off tells the tooltip nothing. */}
          <span>
            <IconButton size="small" aria-label={label} disabled={isOff} onClick={press}>
              <Icon fontSize="small" />
            </IconButton>
          </span>
        </Tooltip>
      ))}
    </Box>
  );
}

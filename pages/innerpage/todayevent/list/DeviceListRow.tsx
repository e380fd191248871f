import CollapsedIcon from '@mui/icons-material/ChevronRight';
import ExpandedIcon from '@mui/icons-material/ExpandMore';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import { useTranslation } from 'react-i18next';
import { deviceText } from '../../../../shared/ui/events/eventText.ts';
import { SeverityChip } from '../../../../shared/ui/events/SeverityChip.tsx';
import type { ListItem } from '../model/listItems.ts';
import type { RowPlace } from './EventListRow.tsx';

export interface DeviceListRowProps extends RowPlace {
  readonly item: ListItem & { readonly kind: 'device' };
}

/** A device above its events: how many there are, and how severe the worst of them is. */
export function DeviceListRow({ item, index, top, height }: DeviceListRowProps) {
  const { t } = useTranslation('TodayEvent');
  const { event, count, severity, isCollapsed, deviceid } = item;
  return (
    <Box role="row" aria-rowindex={index} sx={ROW} style={{ transform: `translateY(${top}px)`, height }}>
      <Box role="gridcell" aria-colspan={6} sx={{ flex: 1, minWidth: 0 }}>
        <ButtonBase data-device={deviceid} aria-expanded={!isCollapsed} sx={BUTTON}>
          {isCollapsed ? <CollapsedIcon fontSize="small" /> : <ExpandedIcon fontSize="small" />}
          <Box component="span" sx={NAME}>
            {[deviceText(event), event.plate].filter((text) => text !== '').join(' · ')}
          </Box>
          <SeverityChip severity={severity} />
          <Box component="span" sx={{ color: 'text.secondary', whiteSpace: 'nowrap' }}>
            {t('Events: {{number}}', { number: count })}
          </Box>
        </ButtonBase>
      </Box>
    </Box>
  );
}

const ROW = {
  position: 'absolute',
  top: 0,
  left: 0,
  right: 0,
  display: 'flex',
  borderBottom: 1,
  borderColor: 'divider',
  backgroundColor: 'background.default',
} as const;
const BUTTON = {
  width: '100%',
  height: '100%',
  px: 1,
  gap: 1,
  justifyContent: 'flex-start',
  fontSize: 14,
  textAlign: 'left',
} as const;
const NAME = {
  fontWeight: 650,
  minWidth: 0,
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
} as const;

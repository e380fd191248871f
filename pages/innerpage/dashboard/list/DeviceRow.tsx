import VideocamOffIcon from '@mui/icons-material/VideocamOff';
import Box from '@mui/material/Box';
import { memo } from 'react';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { markerStateOf } from '../../../../shared/ui/map/markerState.ts';
import { StateIcon } from '../../../../shared/ui/map/StateIcon.tsx';
import { AlarmText } from '../alarm/AlarmText.tsx';
import { speedText } from '../motionText.ts';
import { useStateText } from '../useStateText.ts';

export const ROW_PIXELS = 58;

export interface DeviceRowProps {
  readonly id: string;
  readonly device: LiveDevice;
  readonly top: number;
  /** From 1. */
  readonly position: number;
  readonly count: number;
  readonly isSelected: boolean;
  readonly isActive: boolean;
}

/** Drawn again only when its own device has changed, which is why the list takes the clicks. */
export const DeviceRow = memo(function DeviceRow(props: DeviceRowProps) {
  const { id, device, top, position, count, isSelected, isActive } = props;
  const zone = useUserZone();
  const { ofDevice } = useStateText();
  return (
    <Box
      id={id}
      role="option"
      aria-selected={isSelected}
      aria-setsize={count}
      aria-posinset={position}
      data-device={device.id}
      sx={{ ...ROW, ...(isSelected ? SELECTED : {}), ...(isActive ? ACTIVE : {}) }}
      style={{ transform: `translateY(${top}px)` }}
    >
      <StateIcon state={markerStateOf(device)} heading={device.heading} />
      <Box sx={{ minWidth: 0, flex: 1 }}>
        <Box sx={LINE}>
          <Box component="span" sx={NAME}>
            {device.name || device.id}
          </Box>
          {device.videoLoss && <VideocamOffIcon sx={{ fontSize: 15, color: 'warning.main' }} aria-hidden="true" />}
          <Box component="span" sx={PLATE}>
            {device.plate}
          </Box>
        </Box>
        <Box sx={{ ...LINE, ...SMALL }}>
          <Box component="span" sx={{ ...CUT, flex: 1 }}>
            {device.inAlarm && <AlarmText device={device} />}
            {ofDevice(device)}
          </Box>
          <Box component="span" sx={{ flexShrink: 0 }}>
            {device.state === 'online' ? speedText(device) : momentOf(device.seenAt, zone)}
          </Box>
        </Box>
      </Box>
    </Box>
  );
});

function momentOf(atMs: number, zone: string): string {
  return atMs === 0 ? '' : formatTimestamp(atMs, zone);
}

const CUT = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;
const ROW = {
  position: 'absolute',
  top: 0,
  left: 0,
  right: 0,
  height: ROW_PIXELS,
  display: 'flex',
  alignItems: 'center',
  gap: 1.25,
  px: 1.5,
  borderBottom: 1,
  borderColor: 'divider',
  cursor: 'pointer',
  '&:hover': { backgroundColor: 'action.hover' },
} as const;
const SELECTED = {
  backgroundColor: 'action.hover',
  boxShadow: 'inset 3px 0 0 var(--mui-palette-primary-main)',
} as const;
const ACTIVE = {
  '[role="listbox"]:focus &': { outline: '2px solid var(--mui-palette-primary-main)', outlineOffset: -2 },
} as const;
const LINE = { display: 'flex', alignItems: 'baseline', gap: 1, minWidth: 0 } as const;
const NAME = { ...CUT, fontWeight: 620, flex: '0 1 auto' } as const;
const PLATE = {
  ...CUT,
  fontSize: 13,
  color: 'text.secondary',
  marginLeft: 'auto',
  flexShrink: 0,
  maxWidth: '45%',
} as const;
const SMALL = { fontSize: 12.5, color: 'text.secondary', fontVariantNumeric: 'tabular-nums' } as const;

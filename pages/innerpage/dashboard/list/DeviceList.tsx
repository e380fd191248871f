import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, type RefObject, useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import { DeviceRow, ROW_PIXELS } from './DeviceRow.tsx';
import { useRowKeys } from './useRowKeys.ts';

export interface DeviceListProps {
  /** What scrolls, and has the focus while the keys move through the rows. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly devices: readonly LiveDevice[];
  readonly selectedId: string | undefined;
  readonly onPick: (deviceId: string) => void;
  readonly isKnown: boolean;
  /** There is no device at all, whatever the filter. */
  readonly isEmpty: boolean;
  readonly onClear: () => void;
}

/** Only the rows in sight are in the document, whatever the number of devices. */
export function DeviceList({ scroller, devices, selectedId, onPick, isKnown, isEmpty, onClear }: DeviceListProps) {
  const { t } = useTranslation('Dashboard');
  const rows = useVirtualizer({
    count: devices.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PIXELS,
    getItemKey: (index) => devices[index]?.id ?? index,
    overscan: 6,
  });
  const keys = useRowKeys({ devices, selectedId, onPick, onMove: (index) => rows.scrollToIndex(index) });
  const showRow = useEffectEvent((deviceId: string) => {
    const index = devices.findIndex(({ id }) => id === deviceId);
    if (index >= 0) rows.scrollToIndex(index, { align: 'auto' });
  });
  // In step with the map: what is chosen there comes into sight here. An update that moves the row scrolls nothing.
  useEffect(() => {
    if (selectedId !== undefined) showRow(selectedId);
  }, [selectedId]);
  // A row that was scrolled away is not in the document and can be nobody's active one.
  const active = rows.getVirtualItems().some(({ index }) => index === keys.activeIndex)
    ? devices[keys.activeIndex]
    : undefined;
  if (!isKnown) return <Waiting />;
  if (devices.length === 0) return <NoRows isEmpty={isEmpty} onClear={onClear} />;
  return (
    <Box
      ref={scroller}
      role="listbox"
      aria-label={t('Devices')}
      aria-activedescendant={active && rowId(active.id)}
      tabIndex={0}
      onKeyDown={keys.onKeyDown}
      onClick={(event) => pickAt(event, onPick)}
      sx={SCROLLER}
    >
      <Box role="presentation" sx={{ height: rows.getTotalSize(), position: 'relative' }}>
        {rows.getVirtualItems().map(({ index, start, key }) => {
          const device = devices[index];
          if (device === undefined) return null;
          return (
            <DeviceRow
              key={key}
              id={rowId(device.id)}
              device={device}
              top={start}
              position={index + 1}
              count={devices.length}
              isSelected={device.id === selectedId}
              isActive={index === keys.activeIndex}
            />
          );
        })}
      </Box>
    </Box>
  );
}

function rowId(deviceId: string): string {
  return `device-${deviceId}`;
}

/** The device whose row was clicked. */
function pickAt({ target }: MouseEvent, onPick: (deviceId: string) => void): void {
  const deviceId = target instanceof Element ? target.closest('[data-device]')?.getAttribute('data-device') : undefined;
  if (typeof deviceId === 'string') onPick(deviceId);
}

function NoRows({ isEmpty, onClear }: { readonly isEmpty: boolean; readonly onClear: () => void }) {
  const { t } = useTranslation('Dashboard');
  return (
    <Box sx={{ p: 3, display: 'flex', flexDirection: 'column', gap: 1.5, alignItems: 'flex-start' }}>
      <Typography>
        {isEmpty
          ? t('No devices in your member group yet. An administrator can add them on the Device Group page.')
          : t('No results. Change the search or filters.')}
      </Typography>
      {!isEmpty && (
        <Button variant="outlined" size="small" onClick={onClear}>
          {t('Clear filters')}
        </Button>
      )}
    </Box>
  );
}

const SCROLLER = { flex: 1, minHeight: 0, overflowY: 'auto', outlineOffset: '-2px !important' } as const;

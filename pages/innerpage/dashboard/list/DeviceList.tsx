import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import { DeviceRow, ROW_PIXELS } from './DeviceRow.tsx';
import { nextIndex } from './listKeys.ts';

export interface DeviceListProps {
  readonly devices: readonly LiveDevice[];
  readonly selectedId: string | undefined;
  readonly onPick: (deviceId: string) => void;
  readonly isKnown: boolean;
  /** There is no device at all, whatever the filter. */
  readonly isEmpty: boolean;
  readonly onClear: () => void;
}

/** Only the rows in sight are in the document, whatever the number of devices. */
export function DeviceList({ devices, selectedId, onPick, isKnown, isEmpty, onClear }: DeviceListProps) {
  const { t } = useTranslation('Dashboard');
  const scroller = useRef<HTMLDivElement>(null);
  const [activeId, setActive] = useState<string>();
  const rows = useVirtualizer({
    count: devices.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PIXELS,
    getItemKey: (index) => devices[index]?.id ?? index,
    overscan: 6,
  });
  const active = activeId === undefined ? -1 : devices.findIndex(({ id }) => id === activeId);
  const showRow = useEffectEvent((deviceId: string) => {
    const index = devices.findIndex(({ id }) => id === deviceId);
    if (index >= 0) rows.scrollToIndex(index, { align: 'auto' });
  });
  // In step with the map: what is chosen there comes into sight here. An update that moves the row scrolls nothing.
  useEffect(() => {
    if (selectedId !== undefined) showRow(selectedId);
  }, [selectedId]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' || event.key === ' ') {
      if (activeId !== undefined) onPick(activeId);
      event.preventDefault();
      return;
    }
    const next = nextIndex(event.key, active, devices.length);
    if (next === undefined) return;
    event.preventDefault();
    setActive(devices[next]?.id);
    rows.scrollToIndex(next);
  };
  // A row that was scrolled away is not in the document and can be nobody's active one.
  const activeRow = rows.getVirtualItems().some(({ index }) => index === active) ? rowId(activeId) : undefined;
  if (!isKnown) return <Waiting />;
  if (devices.length === 0) return <NoRows isEmpty={isEmpty} onClear={onClear} />;
  return (
    <Box
      ref={scroller}
      role="listbox"
      aria-label={t('Devices')}
      aria-activedescendant={activeRow}
      tabIndex={0}
      onKeyDown={onKeyDown}
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
              isActive={index === active}
              onPick={onPick}
            />
          );
        })}
      </Box>
    </Box>
  );
}

function rowId(deviceId: string | undefined): string {
  return `device-${deviceId}`;
}

function NoRows({ isEmpty, onClear }: { readonly isEmpty: boolean; readonly onClear: () => void }) {
  const { t } = useTranslation('Dashboard');
  return (
    <Box sx={{ p: 3, display: 'flex', flexDirection: 'column', gap: 1.5, alignItems: 'flex-start' }}>
      <Typography>
        {isEmpty
          ? t('There is no device in your member group yet. An administrator adds them on the page Device Group.')
          : t('No device fits the search and the filters.')}
      </Typography>
      {!isEmpty && (
        <Button variant="outlined" size="small" onClick={onClear}>
          {t('Remove the filters')}
        </Button>
      )}
    </Box>
  );
}

const SCROLLER = { flex: 1, minHeight: 0, overflowY: 'auto', outlineOffset: '-2px !important' } as const;

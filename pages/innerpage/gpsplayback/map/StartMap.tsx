import Box from '@mui/material/Box';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import { useShownFences } from '../../../../shared/ui/map/fences/useShownFences.ts';
import { MapNotice } from '../../../../shared/ui/map/MapNotice.tsx';
import { useFleetMap } from '../../../../shared/ui/map/useFleetMap.ts';

export interface StartMapProps {
  readonly devices: ReadonlyMap<string, LiveDevice>;
  readonly onSelect: (deviceId: string) => void;
  /** Several devices stand at one place. */
  readonly onTogether: () => void;
}

/** The current places of the member group's vehicles: pressing one shows its track. */
export function StartMap({ devices, onSelect, onTogether }: StartMapProps) {
  const { t } = useTranslation('GpsPlayback');
  const host = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLElement>(null);
  const shown = useMemo(() => [...devices.values()], [devices]);
  const state = useFleetMap(host, {
    devices: shown,
    selected: undefined,
    isFollowing: false,
    fences: useShownFences(),
    // The first devices come after the map: then it goes to where they are.
    viewKey: shown.length > 0,
    panel,
    onSelect: (deviceId) => deviceId !== undefined && onSelect(deviceId),
    onTogether,
    onMoved: () => undefined,
  });
  return (
    <Box role="region" aria-label={t('Vehicles')} sx={BOX}>
      <Box ref={host} data-map={state.kind} sx={{ flex: 1, minWidth: 0 }} />
      <MapNotice state={state} />
    </Box>
  );
}

/** A flex box, because on a phone the page is as long as its content: a height in percent would be none there. */
const BOX = { position: 'relative', display: 'flex', flex: 1, minHeight: { xs: '60vh', lg: 300 } } as const;

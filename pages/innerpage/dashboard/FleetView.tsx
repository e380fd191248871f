// Map and list side by side, or one of them on a narrow page; the chosen device lies over the map.
import Box from '@mui/material/Box';
import { type KeyboardEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveFleet } from '../../../shared/live/liveFleet.ts';
import { DeviceList } from './list/DeviceList.tsx';
import { ListFilters } from './list/ListFilters.tsx';
import { MapView } from './map/MapView.tsx';
import { DevicePanel } from './panel/DevicePanel.tsx';
import type { FleetChoice } from './useFleetFilter.ts';

export interface FleetViewProps {
  readonly fleet: LiveFleet;
  readonly filter: FleetChoice;
  readonly show: 'map' | 'list' | 'none';
  readonly isWide: boolean;
  /** A device was chosen in the list. */
  readonly onPicked: () => void;
  /** Devices were chosen on the map that it cannot set apart. */
  readonly onTogether: (deviceIds: readonly string[]) => void;
  /** Takes the filters back, the words of the search among them. */
  readonly onClear: () => void;
}

export function FleetView({ fleet, filter, show, isWide, onPicked, onTogether, onClear }: FleetViewProps) {
  const { i18n } = useTranslation();
  const panel = useRef<HTMLElement>(null);
  const map = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const { selected } = filter;
  const showsMap = show === 'map';
  const showsList = show === 'list' || (show === 'map' && isWide);
  const pick = (deviceId: string) => {
    filter.select(deviceId);
    onPicked();
  };
  // The panel takes the focus away with it: it goes back to where devices are chosen.
  const close = () => {
    filter.select(undefined);
    (list.current ?? map.current)?.focus({ preventScroll: true });
  };
  const onKeyDown = ({ key, target, currentTarget }: KeyboardEvent) => {
    // Menus that are open stand elsewhere in the document, and close first.
    const isHere = target instanceof Node && currentTarget.contains(target);
    if (key === 'Escape' && isHere && selected !== undefined) close();
  };
  return (
    <Box onKeyDown={onKeyDown} sx={{ flex: 1, minHeight: 0, display: show === 'none' ? 'none' : 'flex' }}>
      <Box ref={map} tabIndex={-1} sx={{ ...MAP, display: showsMap ? 'block' : 'none' }}>
        {/* The map's own words are given to it once. */}
        <MapView key={i18n.language} filter={filter} panel={panel} onTogether={onTogether} />
        {selected !== undefined && (
          <DevicePanel
            key={selected.id}
            ref={panel}
            device={selected}
            isFollowing={filter.isFollowing}
            takesFocus={!isWide}
            onFollow={filter.setFollowing}
            onClose={close}
          />
        )}
      </Box>
      {showsList && (
        <Box component="section" sx={isWide ? SIDE : WHOLE}>
          <ListFilters filter={filter} />
          <DeviceList
            scroller={list}
            devices={filter.shown}
            selectedId={selected?.id}
            onPick={pick}
            isKnown={fleet.isKnown}
            isEmpty={fleet.devices.size === 0}
            onClear={onClear}
          />
        </Box>
      )}
    </Box>
  );
}

const MAP = { flex: 1, minWidth: 0, position: 'relative' } as const;
const LIST = { display: 'flex', flexDirection: 'column', minHeight: 0, backgroundColor: 'background.paper' } as const;
const SIDE = { ...LIST, width: 340, flexShrink: 0, borderLeft: 1, borderColor: 'divider' } as const;
const WHOLE = { ...LIST, flex: 1, minWidth: 0 } as const;

// Map and list side by side, or one of them on a narrow page; the chosen device lies over the map.
import Box from '@mui/material/Box';
import { useRef } from 'react';
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
  const panel = useRef<HTMLElement>(null);
  const { selected } = filter;
  const showsMap = show === 'map';
  const showsList = show === 'list' || (show === 'map' && isWide);
  const pick = (deviceId: string) => {
    filter.select(deviceId);
    onPicked();
  };
  return (
    <Box sx={{ flex: 1, minHeight: 0, display: show === 'none' ? 'none' : 'flex' }}>
      <Box sx={{ ...MAP, display: showsMap ? 'block' : 'none' }}>
        <MapView fleet={fleet} filter={filter} panel={panel} onTogether={onTogether} />
        {selected !== undefined && (
          <DevicePanel
            key={selected.id}
            ref={panel}
            device={selected}
            isFollowing={filter.isFollowing}
            onFollow={filter.setFollowing}
            onClose={() => filter.select(undefined)}
          />
        )}
      </Box>
      {showsList && (
        <Box component="section" sx={isWide ? SIDE : WHOLE}>
          <ListFilters filter={filter} />
          <DeviceList
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

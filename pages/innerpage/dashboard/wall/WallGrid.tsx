import Box from '@mui/material/Box';
import { useEffect, useRef, useState } from 'react';
import type { PlayerEngine } from '../../../../shared/player/engine/engine.ts';
import type { Wall } from '../../../../shared/protocol/api/fleet.ts';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import { useViewLinks } from './useViewLinks.ts';
import { WallPlace } from './WallPlace.tsx';
import { channelKey, distinct } from './wallDraft.ts';
import { wallColumns } from './wallTurn.ts';

export interface WallGridProps {
  readonly wall: Wall;
  readonly engine: PlayerEngine;
  readonly devices: ReadonlyMap<string, LiveDevice>;
}

/** The wall's channels, as large as the room lets them be. Sub streams: eight main ones are more than most decode. */
export function WallGrid({ wall, engine, devices }: WallGridProps) {
  const host = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 16, height: 9 });
  const channels = distinct(wall.channels);
  const links = useViewLinks(channels.map(({ deviceid }) => deviceid));
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const watch = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const count = channels.length;
  const columns = wallColumns(count, size.width, size.height);
  const rows = Math.ceil(count / columns);
  const tracks = { gridTemplate: `repeat(${rows}, minmax(0, 1fr)) / repeat(${columns}, minmax(0, 1fr))` };
  return (
    <Box ref={host} data-wall={wall.name} sx={GRID} style={tracks}>
      {channels.map((place) => (
        <WallPlace
          key={channelKey(place)}
          place={place}
          engine={engine}
          link={links.get(place.deviceid)}
          device={devices.get(place.deviceid)}
          quality={count > 4 ? 'sub' : 'main'}
        />
      ))}
    </Box>
  );
}

const GRID = {
  flex: 1,
  minHeight: 0,
  minWidth: 0,
  display: 'grid',
  gap: '2px',
  backgroundColor: '#000000',
  overflow: 'hidden',
} as const;

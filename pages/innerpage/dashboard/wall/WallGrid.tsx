import Box from '@mui/material/Box';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { buildWebSocketUrl } from '../../../../shared/api/query.ts';
import type { PlayerEngine } from '../../../../shared/player/engine.ts';
import { VideoTile } from '../../../../shared/player/VideoTile.tsx';
import type { Wall, WallChannel } from '../../../../shared/protocol/api/dashboard.ts';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import { StreamPath } from '../../../../shared/protocol/api.ts';
import { useViewLinks } from './useViewLinks.ts';
import type { ViewLink } from './viewLinks.ts';
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
          name={devices.get(place.deviceid)?.name || place.deviceid}
          quality={count > 4 ? 'sub' : 'main'}
        />
      ))}
    </Box>
  );
}

interface WallPlaceProps {
  readonly place: WallChannel;
  readonly engine: PlayerEngine;
  readonly link: ViewLink | undefined;
  readonly name: string;
  readonly quality: 'main' | 'sub';
}

function WallPlace({ place: { deviceid, channel }, engine, link, name, quality }: WallPlaceProps) {
  const { t } = useTranslation('Dashboard');
  if (link?.kind === 'link') {
    const [, username = '', credential = ''] = link.link.split('/').map(decodeURIComponent);
    const query = { deviceid, username, credential, channel, audio: 0, quality };
    return <VideoTile engine={engine} channel={channel} name={name} url={buildWebSocketUrl(StreamPath.Live, query)} />;
  }
  return (
    <Box component="section" aria-label={`${name} · ch ${channel}`} sx={EMPTY}>
      <span>{`${name} · ch ${channel}`}</span>
      <span>{link === undefined ? t('Connecting') : link.text}</span>
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
const EMPTY = {
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  justifyContent: 'center',
  gap: 1,
  p: 2,
  backgroundColor: '#14181d',
  color: '#dfe5eb',
  fontSize: 14,
  textAlign: 'center',
} as const;

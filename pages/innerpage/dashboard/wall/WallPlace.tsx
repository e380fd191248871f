import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { buildWebSocketUrl } from '../../../../shared/api/query.ts';
import type { PlayerEngine } from '../../../../shared/player/engine/engine.ts';
import { VideoTile } from '../../../../shared/player/tile/VideoTile.tsx';
import type { WallChannel } from '../../../../shared/protocol/api/fleet.ts';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import { StreamPath } from '../../../../shared/protocol/api.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import type { ViewLink } from './viewLinks.ts';

export interface WallPlaceProps {
  readonly place: WallChannel;
  readonly engine: PlayerEngine;
  readonly link: ViewLink | undefined;
  /** Undefined while the devices are not known, and for one that the group does not have any more. */
  readonly device: LiveDevice | undefined;
  readonly quality: 'main' | 'sub';
}

/** One channel of a wall: its picture, or why there is none. */
export function WallPlace({ place: { deviceid, channel }, engine, link, device, quality }: WallPlaceProps) {
  const { t } = useTranslation('Dashboard');
  const name = device?.name || deviceid;
  if (link?.kind === 'link') {
    const [, username = '', credential = ''] = link.link.split('/').map(decodeURIComponent);
    const query = { deviceid, username, credential, channel, audio: 0, quality };
    return (
      <Box sx={PLACE}>
        <VideoTile engine={engine} channel={channel} name={name} url={buildWebSocketUrl(StreamPath.Live, query)} />
        {device !== undefined && device.state !== 'online' && <Away device={device} />}
      </Box>
    );
  }
  return (
    <Box component="section" aria-label={`${name} · ch ${channel}`} sx={EMPTY}>
      <span>{`${name} · ch ${channel}`}</span>
      <span>{link === undefined ? t('Connecting…') : link.text}</span>
    </Box>
  );
}

/** The player waits for a picture as long as it takes; that the device is away, and since when, the fleet knows. */
function Away({ device: { state, seenAt } }: { readonly device: LiveDevice }) {
  const { t } = useTranslation('Dashboard');
  const zone = useUserZone();
  const since = seenAt === 0 ? '' : ` · ${formatTimestamp(seenAt, zone)}`;
  return (
    <Box component="span" sx={AWAY}>
      {state === 'never' ? t('Never connected') : `${t('Offline')}${since}`}
    </Box>
  );
}

const PLACE = { position: 'relative', display: 'grid', minWidth: 0, minHeight: 0 } as const;
// Nothing else is at the top right: the tiles of a wall are silent.
const AWAY = {
  position: 'absolute',
  top: 4,
  right: 4,
  px: 1,
  py: 0.25,
  borderRadius: 0.5,
  fontSize: 13,
  fontVariantNumeric: 'tabular-nums',
  backgroundColor: 'rgb(0 0 0 / 75%)',
  color: '#ffffff',
  pointerEvents: 'none',
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

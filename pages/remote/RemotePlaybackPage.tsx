import { type ReactElement, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { buildWebSocketUrl } from '../../shared/api/query.ts';
import type { PlayerEngine } from '../../shared/player/engine.ts';
import { tellStreamClosed } from '../../shared/player/framing.ts';
import { isFramed, layoutOf } from '../../shared/player/layout.ts';
import type { PlayerSupport } from '../../shared/player/support.ts';
import { UnsupportedNotice } from '../../shared/player/UnsupportedNotice.tsx';
import { VideoGrid } from '../../shared/player/VideoGrid.tsx';
import { VideoTile } from '../../shared/player/VideoTile.tsx';
import { StreamPath } from '../../shared/protocol/api.ts';
import { RemoteAlert, RemoteLoading } from './RemoteNotices.tsx';
import type { RemoteView } from './remoteView.ts';

export interface RemotePlaybackPageProps {
  readonly loading: Promise<RemoteView>;
  readonly player: RemotePlayer;
}

/** The page's player, or why it has none. */
export type RemotePlayer =
  | { readonly support: 'ok'; readonly engine: PlayerEngine }
  | { readonly support: Exclude<PlayerSupport, 'ok'> };

export function RemotePlaybackPage({ loading, player }: RemotePlaybackPageProps): ReactElement {
  const { t } = useTranslation('Player');
  const [view, setView] = useState<RemoteView>({ kind: 'loading' });
  useEffect(() => {
    let isCurrent = true;
    void loading.then((loaded) => {
      if (isCurrent) setView(loaded);
    });
    return () => {
      isCurrent = false;
    };
  }, [loading]);
  return (
    <main>
      <h1 className="visually-hidden">{view.kind === 'ready' ? view.source.deviceid : t('Playback')}</h1>
      {contentOf(view, player)}
    </main>
  );
}

function contentOf(view: RemoteView, player: RemotePlayer): ReactElement | null {
  switch (view.kind) {
    case 'loading':
      return <RemoteLoading />;
    case 'error':
      return <RemoteAlert error={view.error} />;
    case 'nothing':
      return null;
    case 'ready':
      if (player.support !== 'ok') return <UnsupportedNotice support={player.support} />;
      return <RemoteTile view={view} engine={player.engine} />;
  }
}

interface RemoteTileProps {
  readonly view: RemoteView & { readonly kind: 'ready' };
  readonly engine: PlayerEngine;
}

function RemoteTile({ view: { source, channel, streamId }, engine }: RemoteTileProps): ReactElement {
  const { deviceid } = source;
  const tellClosed = useCallback((closed: number) => tellStreamClosed(deviceid, closed), [deviceid]);
  return (
    <VideoGrid layout={layoutOf({ channels: 1, preferred: undefined, isFramed: isFramed() })}>
      <VideoTile
        engine={engine}
        channel={channel}
        onClosed={tellClosed}
        // Sound belongs to the device's first channel.
        url={buildWebSocketUrl(StreamPath.RemotePlayback, {
          ...source,
          channel,
          audio: channel === 1 ? 1 : 0,
          streamid: streamId,
        })}
      />
    </VideoGrid>
  );
}

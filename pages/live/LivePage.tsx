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
import { LiveAlert, LiveLoading } from './LiveNotices.tsx';
import type { LiveView } from './liveView.ts';

export interface LivePageProps {
  readonly loading: Promise<LiveView>;
  readonly player: LivePlayer;
}

/** The page's player, or why it has none. */
export type LivePlayer =
  | { readonly support: 'ok'; readonly engine: PlayerEngine }
  | { readonly support: Exclude<PlayerSupport, 'ok'> };

export function LivePage({ loading, player }: LivePageProps): ReactElement {
  const { t } = useTranslation('Live');
  const [view, setView] = useState<LiveView>({ kind: 'loading' });
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
      <h1 className="visually-hidden">{view.kind === 'ready' ? view.source.deviceid : t('Live view')}</h1>
      {contentOf(view, player)}
    </main>
  );
}

function contentOf(view: LiveView, player: LivePlayer): ReactElement {
  switch (view.kind) {
    case 'loading':
      return <LiveLoading />;
    case 'error':
      return <LiveAlert error={view.error} />;
    case 'ready':
      if (player.support !== 'ok') return <UnsupportedNotice support={player.support} />;
      return <LiveTiles view={view} engine={player.engine} />;
  }
}

interface LiveTilesProps {
  readonly view: LiveView & { readonly kind: 'ready' };
  readonly engine: PlayerEngine;
}

function LiveTiles({ view: { source, channels, layout }, engine }: LiveTilesProps): ReactElement {
  const { deviceid } = source;
  const tellClosed = useCallback((channel: number) => tellStreamClosed(deviceid, channel), [deviceid]);
  return (
    <VideoGrid layout={layoutOf({ channels: channels.length, preferred: layout, isFramed: isFramed() })}>
      {channels.map((channel) => (
        <VideoTile
          key={channel}
          engine={engine}
          channel={channel}
          onClosed={tellClosed}
          // Sound belongs to the device's first channel, wherever its tile stands.
          url={buildWebSocketUrl(StreamPath.Live, { ...source, channel, audio: channel === 1 ? 1 : 0 })}
        />
      ))}
    </VideoGrid>
  );
}

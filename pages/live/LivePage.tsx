import { type ReactElement, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { pageFlags } from '../../shared/api/pageFlags.ts';
import { buildWebSocketUrl } from '../../shared/api/query.ts';
import type { PlayerEngine } from '../../shared/player/engine/engine.ts';
import type { PlayerSupport } from '../../shared/player/engine/support.ts';
import { tellStreamClosed } from '../../shared/player/page/framing.ts';
import type { FramingInbox } from '../../shared/player/page/framingInbox.ts';
import { isFramed, layoutOf } from '../../shared/player/page/layout.ts';
import { UnsupportedNotice } from '../../shared/player/page/UnsupportedNotice.tsx';
import { useFraming } from '../../shared/player/page/useFraming.ts';
import { VideoGrid } from '../../shared/player/page/VideoGrid.tsx';
import type { TileToolOptions } from '../../shared/player/tile/tileToolOptions.ts';
import { useEnlarged } from '../../shared/player/tile/useEnlarged.ts';
import { useLoaded } from '../../shared/player/tile/useLoaded.ts';
import { VideoTile } from '../../shared/player/tile/VideoTile.tsx';
import { StreamPath } from '../../shared/protocol/api.ts';
import { ControlPath } from '../../shared/protocol/stream/controlMessages.ts';
import { LiveAlert, LiveLoading } from './LiveNotices.tsx';
import type { LiveView } from './liveView.ts';

export interface LivePageProps {
  readonly loading: Promise<LiveView>;
  readonly player: LivePlayer;
  /** What a framing page asks. */
  readonly inbox?: FramingInbox | undefined;
}

/** The page's player, or why it has none. */
export type LivePlayer =
  | { readonly support: 'ok'; readonly engine: PlayerEngine }
  | { readonly support: Exclude<PlayerSupport, 'ok'> };

export function LivePage({ loading, player, inbox }: LivePageProps): ReactElement {
  const { t } = useTranslation('Live');
  const view = useLoaded<LiveView>(loading, { kind: 'loading' });
  return (
    <main>
      <h1 className="visually-hidden">{view.kind === 'ready' ? view.source.deviceid : t('Live view')}</h1>
      {contentOf(view, player, inbox)}
    </main>
  );
}

function contentOf(view: LiveView, player: LivePlayer, inbox: FramingInbox | undefined): ReactElement {
  switch (view.kind) {
    case 'loading':
      return <LiveLoading />;
    case 'error':
      return <LiveAlert error={view.error} />;
    case 'ready':
      if (player.support !== 'ok') return <UnsupportedNotice support={player.support} />;
      return <LiveTiles view={view} engine={player.engine} inbox={inbox} />;
  }
}

interface LiveTilesProps {
  readonly view: LiveView & { readonly kind: 'ready' };
  readonly engine: PlayerEngine;
  readonly inbox: FramingInbox | undefined;
}

function LiveTiles({ view, engine, inbox }: LiveTilesProps): ReactElement {
  const { source, channels, layout } = view;
  const { deviceid } = source;
  const tellClosed = useCallback((channel: number) => tellStreamClosed(deviceid, channel), [deviceid]);
  const framing = useFraming(inbox);
  const enlarged = useEnlarged(channels);
  const shown = enlarged.channel === undefined ? channels.length : 1;
  const tools = useMemo(() => new Map(channels.map((channel) => [channel, toolsOf(view, channel)])), [view, channels]);
  return (
    <VideoGrid layout={layoutOf({ channels: shown, preferred: layout, isFramed: isFramed() })}>
      {channels.map((channel) => (
        <VideoTile
          key={channel}
          engine={engine}
          channel={channel}
          onClosed={tellClosed}
          onPlayer={framing}
          tools={pageFlags().controls ? tools.get(channel) : undefined}
          enlarge={enlarged.controlOf(channel)}
          isCovered={enlarged.channel !== undefined && enlarged.channel !== channel}
          // Sound belongs to the device's first channel, wherever its tile stands.
          url={buildWebSocketUrl(StreamPath.Live, { ...source, channel, audio: channel === 1 ? 1 : 0 })}
        />
      ))}
    </VideoGrid>
  );
}

function toolsOf({ source, movable, talkable }: LiveTilesProps['view'], channel: number): TileToolOptions {
  const lineTo = (path: string) => buildWebSocketUrl(path, { ...source, channel });
  return {
    deviceid: source.deviceid,
    hasQualities: true,
    ptzUrl: movable.includes(channel) ? lineTo(ControlPath.Ptz) : undefined,
    talkUrl: talkable.includes(channel) ? lineTo(ControlPath.Talk) : undefined,
  };
}

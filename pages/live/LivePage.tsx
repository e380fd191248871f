import { type ReactElement, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { pageFlags } from '../../shared/api/pageFlags.ts';
import { buildWebSocketUrl } from '../../shared/api/query.ts';
import { isFramed, layoutOf } from '../../shared/player/page/layout.ts';
import type { PagePlayer, RunningPlayer } from '../../shared/player/page/pagePlayer.ts';
import { pageFailureText } from '../../shared/player/page/pageView.ts';
import { useFraming } from '../../shared/player/page/useFraming.ts';
import { useServerLayout } from '../../shared/player/page/useServerLayout.ts';
import { VideoGrid } from '../../shared/player/page/VideoGrid.tsx';
import { VideoPage } from '../../shared/player/page/VideoPage.tsx';
import { streamUrl } from '../../shared/player/tile/streamUrl.ts';
import type { TileToolOptions } from '../../shared/player/tile/tileToolOptions.ts';
import { useEnlarged } from '../../shared/player/tile/useEnlarged.ts';
import { VideoTile } from '../../shared/player/tile/VideoTile.tsx';
import type { OpenServerInfo, VideoLayout } from '../../shared/protocol/api/system.ts';
import { StreamPath } from '../../shared/protocol/api.ts';
import { ControlPath } from '../../shared/protocol/stream/controlMessages.ts';
import type { LiveTarget, LiveView } from './liveView.ts';

export interface LivePageProps {
  readonly loading: Promise<LiveView>;
  readonly player: PagePlayer;
}

export function LivePage({ loading, player }: LivePageProps): ReactElement {
  const { t } = useTranslation('Live');
  return (
    <VideoPage loading={loading} player={player} name={t('Live view')} failureText={pageFailureText}>
      {(target, running) => <LiveTiles target={target} player={running} />}
    </VideoPage>
  );
}

interface LiveTilesProps {
  readonly target: LiveTarget;
  readonly player: RunningPlayer;
}

function LiveTiles({ target, player }: LiveTilesProps): ReactElement {
  const { source, channels } = target;
  const layout = useServerLayout(target.layout, liveLayoutOf);
  const framing = useFraming(player.inbox, source.deviceid);
  const enlarged = useEnlarged(channels);
  const shown = enlarged.channel === undefined ? channels.length : 1;
  const tools = useMemo(
    () => new Map(channels.map((channel) => [channel, toolsOf(target, channel)])),
    [target, channels],
  );
  return (
    <VideoGrid layout={layoutOf({ channels: shown, preferred: layout, fillsContainer: isFramed() })}>
      {channels.map((channel) => (
        <VideoTile
          key={channel}
          engine={player.engine}
          channel={channel}
          onClosed={framing.onClosed}
          onPlayer={framing.onPlayer}
          tools={pageFlags().controls ? tools.get(channel) : undefined}
          enlarge={enlarged.controlOf(channel)}
          isCovered={enlarged.channel !== undefined && enlarged.channel !== channel}
          url={streamUrl(StreamPath.Live, source, channel)}
        />
      ))}
    </VideoGrid>
  );
}

function liveLayoutOf({ simpleLive }: OpenServerInfo): VideoLayout | null | undefined {
  return simpleLive?.layout;
}

function toolsOf({ source, movable, talkable }: LiveTarget, channel: number): TileToolOptions {
  const lineTo = (path: string) => buildWebSocketUrl(path, { ...source, channel });
  return {
    deviceid: source.deviceid,
    hasQualities: true,
    hasUsage: true,
    ptzUrl: movable.includes(channel) ? lineTo(ControlPath.Ptz) : undefined,
    talkUrl: talkable.includes(channel) ? lineTo(ControlPath.Talk) : undefined,
  };
}

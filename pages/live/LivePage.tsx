import { type ReactElement, useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { pageFlags } from '../../shared/api/pageFlags.ts';
import { buildWebSocketUrl } from '../../shared/api/query.ts';
import { isFramed, layoutOf } from '../../shared/player/page/layout.ts';
import type { PagePlayer, RunningPlayer } from '../../shared/player/page/pagePlayer.ts';
import { pageFailureText } from '../../shared/player/page/pageView.ts';
import { useDeviceWatch } from '../../shared/player/page/useDeviceWatch.ts';
import { useFraming } from '../../shared/player/page/useFraming.ts';
import { useServerLayout } from '../../shared/player/page/useServerLayout.ts';
import { VideoGrid } from '../../shared/player/page/VideoGrid.tsx';
import { VideoPage } from '../../shared/player/page/VideoPage.tsx';
import { vehicleName } from '../../shared/player/page/vehicleName.ts';
import { LostTile } from '../../shared/player/tile/LostTile.tsx';
import { streamUrl } from '../../shared/player/tile/streamUrl.ts';
import type { TileToolOptions } from '../../shared/player/tile/tileToolOptions.ts';
import { useEnlarged } from '../../shared/player/tile/useEnlarged.ts';
import { VideoTile } from '../../shared/player/tile/VideoTile.tsx';
import type { OpenServerInfo, VideoLayout } from '../../shared/protocol/api/system.ts';
import { type DeviceInfo, StreamPath } from '../../shared/protocol/api.ts';
import { lostChannels } from '../../shared/protocol/channels.ts';
import { ControlPath } from '../../shared/protocol/stream/controlMessages.ts';
import { type LiveTarget, type LiveView, liveChannelsOf } from './liveView.ts';

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
  const { source, mask } = target;
  const isLacking = useCallback(
    (info: DeviceInfo) => info.online === false || lostChannels(mask, info).length > 0,
    [mask],
  );
  const watch = useDeviceWatch(source, target.info, isLacking);
  const { channels, lost, movable, talkable } = useMemo(() => liveChannelsOf(mask, watch.info), [mask, watch.info]);
  const layout = useServerLayout(target.layout, liveLayoutOf);
  const framing = useFraming(player.inbox, source.deviceid);
  const enlarged = useEnlarged(channels);
  const tiles = [...channels, ...lost].sort((left, right) => left - right);
  const shown = enlarged.channel === undefined ? tiles.length : 1;
  const tools = useMemo(
    () => new Map(channels.map((channel) => [channel, toolsOf({ source, movable, talkable }, channel)])),
    [source, channels, movable, talkable],
  );
  const vehicle = vehicleName(watch.info, source.deviceid);
  const isCovered = (channel: number) => enlarged.channel !== undefined && enlarged.channel !== channel;
  return (
    <VideoGrid layout={layoutOf({ channels: shown, preferred: layout, fillsContainer: isFramed() })}>
      {tiles.map((channel) =>
        lost.includes(channel) ? (
          <LostTile key={channel} channel={channel} vehicle={vehicle} isCovered={isCovered(channel)} />
        ) : (
          <VideoTile
            key={channel}
            engine={player.engine}
            channel={channel}
            vehicle={vehicle}
            absence={watch.absence}
            onStalled={watch.onStalled}
            onClosed={framing.onClosed}
            onPlayer={framing.onPlayer}
            tools={pageFlags().controls ? tools.get(channel) : undefined}
            enlarge={enlarged.controlOf(channel)}
            isCovered={isCovered(channel)}
            url={streamUrl(StreamPath.Live, source, channel)}
          />
        ),
      )}
    </VideoGrid>
  );
}

function liveLayoutOf({ simpleLive }: OpenServerInfo): VideoLayout | null | undefined {
  return simpleLive?.layout;
}

function toolsOf(
  { source, movable, talkable }: Pick<LiveTarget, 'source' | 'movable' | 'talkable'>,
  channel: number,
): TileToolOptions {
  const lineTo = (path: string) => buildWebSocketUrl(path, { ...source, channel });
  return {
    deviceid: source.deviceid,
    hasQualities: true,
    hasUsage: true,
    ptzUrl: movable.includes(channel) ? lineTo(ControlPath.Ptz) : undefined,
    talkUrl: talkable.includes(channel) ? lineTo(ControlPath.Talk) : undefined,
  };
}

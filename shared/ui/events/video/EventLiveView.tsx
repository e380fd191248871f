import { useMemo } from 'react';
import { buildWebSocketUrl } from '../../../api/query.ts';
import type { PlayerEngine } from '../../../player/engine/engine.ts';
import { layoutOf } from '../../../player/page/layout.ts';
import { VideoGrid } from '../../../player/page/VideoGrid.tsx';
import { streamUrl } from '../../../player/tile/streamUrl.ts';
import type { TileToolOptions } from '../../../player/tile/tileToolOptions.ts';
import { useEnlarged } from '../../../player/tile/useEnlarged.ts';
import { VideoTile } from '../../../player/tile/VideoTile.tsx';
import { StreamPath } from '../../../protocol/api.ts';
import { ControlPath } from '../../../protocol/stream/controlMessages.ts';
import type { DeviceVideo } from './useDeviceVideo.ts';

export interface EventLiveViewProps {
  readonly engine: PlayerEngine;
  readonly video: DeviceVideo;
  readonly channels: readonly number[];
  /** The talk panel of the first channel that can be talked to is open at once. */
  readonly opensTalk: boolean;
}

/** What the device's cameras show now, with the tools of the live page. */
export function EventLiveView({ engine, video, channels, opensTalk }: EventLiveViewProps) {
  const { source } = video;
  const enlarged = useEnlarged(channels);
  const shown = enlarged.channel === undefined ? channels.length : 1;
  const tools = useMemo(() => toolsByChannel(video, channels, opensTalk), [video, channels, opensTalk]);
  return (
    <VideoGrid layout={layoutOf({ channels: shown, preferred: undefined, fillsContainer: false })}>
      {channels.map((channel) => (
        <VideoTile
          key={channel}
          engine={engine}
          channel={channel}
          tools={tools.get(channel)}
          enlarge={enlarged.controlOf(channel)}
          isCovered={enlarged.channel !== undefined && enlarged.channel !== channel}
          url={streamUrl(StreamPath.Live, source, channel)}
        />
      ))}
    </VideoGrid>
  );
}

function toolsByChannel(
  { source, info }: DeviceVideo,
  channels: readonly number[],
  opensTalk: boolean,
): ReadonlyMap<number, TileToolOptions> {
  const can = (bits: string | undefined, channel: number) => bits?.[channel - 1] === '1';
  const lineTo = (path: string, channel: number) => buildWebSocketUrl(path, { ...source, channel });
  const talkable = channels.filter((channel) => can(info.talkchs, channel));
  const options = (channel: number): TileToolOptions => ({
    deviceid: source.deviceid,
    hasQualities: true,
    ptzUrl: can(info.ptzchs, channel) ? lineTo(ControlPath.Ptz, channel) : undefined,
    talkUrl: talkable.includes(channel) ? lineTo(ControlPath.Talk, channel) : undefined,
    opensTalk: opensTalk && channel === talkable[0],
  });
  return new Map(channels.map((channel) => [channel, options(channel)]));
}

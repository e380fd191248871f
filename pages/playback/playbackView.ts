// From the page's address to what it shows. Plain TypeScript, started before React: each round trip saved here is one that the
// first picture does not wait for.
import type { ApiResult } from '../../shared/api/client.ts';
import type { DeviceQuery } from '../../shared/api/devices/device.ts';
import type { PageFailure, PageView, ReadyView } from '../../shared/player/page/pageView.ts';
import { vehicleName } from '../../shared/player/page/vehicleName.ts';
import type { ServerInfo, VideoLayout } from '../../shared/protocol/api/system.ts';
import type { DeviceInfo } from '../../shared/protocol/api.ts';
import { DEFAULT_MASK, parseDeviceRef, selectChannels } from '../../shared/protocol/channels.ts';
import { parseLocalPlaybackPath, streamIdOf } from '../../shared/protocol/playbackPath.ts';
import type { WallSeconds } from '../../shared/protocol/time.ts';

export type PlaybackView = PageView<PlaybackTarget>;

/** What the page shows. */
export interface PlaybackTarget extends ReadyView {
  readonly channels: readonly number[];
  readonly layout: VideoLayout;
  /** One ID for all streams of the page, which are one session. */
  readonly streamId: number;
  readonly start: WallSeconds;
  /** The channels that the link may export. */
  readonly exportable: readonly number[];
}

export interface PlaybackDeps {
  readonly getServerInfo: () => Promise<ApiResult<ServerInfo>>;
  readonly getDevice: (query: DeviceQuery) => Promise<ApiResult<DeviceInfo>>;
  readonly setTitle: (title: string) => void;
  readonly random: () => number;
}

/** Loads what `/playback/{path}` names. Never rejects. */
export async function loadPlaybackView(path: string, deps: PlaybackDeps): Promise<PlaybackView> {
  const link = parseLocalPlaybackPath(path);
  if (link === undefined) return failed({ kind: 'link' }, deps);
  const { start, username, credential } = link;
  const { deviceId, mask } = parseDeviceRef(link.device, DEFAULT_MASK);
  deps.setTitle(`${deviceId} Playback`);
  if (start === undefined) return { kind: 'nothing' };
  const source = { username, credential, deviceid: deviceId };
  const [found, server] = await Promise.all([deps.getDevice(source), deps.getServerInfo()]);
  if (!found.ok) return failed({ kind: 'call', failure: found }, deps);
  const channels = selectChannels(mask, found.value, 'playback');
  if (channels.length === 0) return { kind: 'nothing' };
  const layout = (server.ok ? server.value.simplePlayback?.layout : undefined) ?? '';
  const exportable = channels.filter((channel) => found.value.exportchs?.[channel - 1] === '1');
  const streamId = streamIdOf(link.streamId, deps.random);
  const vehicle = vehicleName(found.value, deviceId);
  return { kind: 'ready', source, vehicle, channels, layout, streamId, start, exportable };
}

function failed(error: PageFailure, deps: PlaybackDeps): PlaybackView {
  deps.setTitle('error');
  return { kind: 'error', error };
}

// From the page's address to what it shows. Plain TypeScript, started before React: each round trip saved here is
// one that the first picture does not wait for.
import type { ApiResult } from '../../shared/api/client.ts';
import type { DeviceQuery } from '../../shared/api/devices/device.ts';
import type { PageFailure, PageView, ReadyView } from '../../shared/player/page/pageView.ts';
import { vehicleName } from '../../shared/player/page/vehicleName.ts';
import type { ServerInfo, VideoLayout } from '../../shared/protocol/api/system.ts';
import type { DeviceInfo } from '../../shared/protocol/api.ts';
import { DEFAULT_MASK, lostChannels, parseDeviceRef, selectChannels } from '../../shared/protocol/channels.ts';
import { openLink, parsePlainLink, sealLink, type VideoLink } from '../../shared/protocol/videoLink.ts';

export type LiveView = PageView<LiveTarget>;

/** What the page shows. */
export interface LiveTarget extends ReadyView, LiveChannels {
  readonly layout: VideoLayout;
  readonly mask: number;
  /** The device info from when the page was opened. */
  readonly info: DeviceInfo;
}

export interface LiveChannels {
  readonly channels: readonly number[];
  /** Channels that are selected as well, but whose cameras give no picture. */
  readonly lost: readonly number[];
  /** The subsets of these channels with PTZ and with talk. */
  readonly movable: readonly number[];
  readonly talkable: readonly number[];
}

export interface LiveDeps {
  readonly getServerInfo: () => Promise<ApiResult<ServerInfo>>;
  readonly getDevice: (query: DeviceQuery) => Promise<ApiResult<DeviceInfo>>;
  /** Puts the sealed form in place of the plain one in the address bar. */
  readonly showSealed: (hex: string) => void;
  readonly setTitle: (title: string) => void;
}

/** Loads what `/live/{path}` names. Never rejects. */
export async function loadLiveView(path: string, deps: LiveDeps): Promise<LiveView> {
  const serverInfo = deps.getServerInfo();
  const plain = parsePlainLink(path);
  if (plain !== undefined) {
    void serverInfo.then((server) => seal(plain, server, deps));
    return loadDevice(plain, serverInfo, deps);
  }
  const server = await serverInfo;
  const link = openLink(path.replace(/\/$/, ''), server.ok ? server.value.linkKey : undefined);
  if (link !== undefined) return loadDevice(link, serverInfo, deps);
  // Without the installation's key no link opens; the failure to fetch it is then the better answer.
  return failed(server.ok ? { kind: 'link' } : { kind: 'call', failure: server }, deps);
}

function seal(link: VideoLink, server: ApiResult<ServerInfo>, deps: LiveDeps): void {
  // Sealed with the wrong key, the address would open nothing after a reload, so it stays unchanged.
  if (server.ok) deps.showSealed(sealLink(link, server.value.linkKey));
}

async function loadDevice(
  { device, username, credential }: VideoLink,
  serverInfo: Promise<ApiResult<ServerInfo>>,
  deps: LiveDeps,
): Promise<LiveView> {
  const { deviceId, mask } = parseDeviceRef(device, DEFAULT_MASK);
  deps.setTitle(`${deviceId} liveview`);
  const source = { username, credential, deviceid: deviceId };
  const [found, server] = await Promise.all([deps.getDevice(source), serverInfo]);
  if (!found.ok) return failed({ kind: 'call', failure: found }, deps);
  const layout = (server.ok ? server.value.simpleLive?.layout : undefined) ?? '';
  const vehicle = vehicleName(found.value, deviceId);
  return { kind: 'ready', source, vehicle, ...liveChannelsOf(mask, found.value), layout, mask, info: found.value };
}

export function liveChannelsOf(mask: number, info: DeviceInfo): LiveChannels {
  const channels = selectChannels(mask, info, 'live');
  const { ptzchs = '', talkchs = '' } = info;
  return {
    channels,
    lost: lostChannels(mask, info),
    // A device can't do what it doesn't report.
    movable: channels.filter((channel) => ptzchs[channel - 1] === '1'),
    talkable: channels.filter((channel) => talkchs[channel - 1] === '1'),
  };
}

function failed(error: PageFailure, deps: LiveDeps): LiveView {
  deps.setTitle('error');
  return { kind: 'error', error };
}

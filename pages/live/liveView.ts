// From the page's address to what it shows. Plain TypeScript, started before React: each round trip saved here is
// one that the first picture does not wait for.
import type { ApiResult } from '../../shared/api/client.ts';
import type { DeviceQuery } from '../../shared/api/devices/device.ts';
import type { PageFailure, PageView, ReadyView } from '../../shared/player/page/pageView.ts';
import type { ServerInfo, VideoLayout } from '../../shared/protocol/api/system.ts';
import type { DeviceInfo } from '../../shared/protocol/api.ts';
import { DEFAULT_MASK, parseDeviceRef, selectChannels } from '../../shared/protocol/channels.ts';
import { openLink, parsePlainLink, sealLink, type VideoLink } from '../../shared/protocol/videoLink.ts';

export type LiveView = PageView<LiveTarget>;

/** What the page shows. */
export interface LiveTarget extends ReadyView {
  readonly channels: readonly number[];
  readonly layout: VideoLayout;
  /** Of these channels: those whose camera can be moved, and those that can be talked to. */
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
  // Without the installation's key no link opens; that it could not be fetched is then the better answer.
  return failed(server.ok ? { kind: 'link' } : { kind: 'call', failure: server }, deps);
}

function seal(link: VideoLink, server: ApiResult<ServerInfo>, deps: LiveDeps): void {
  // Sealed with the wrong key the address would open nothing after a reload; so it stays as it is.
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
  const channels = selectChannels(mask, found.value, 'live');
  const { ptzchs = '', talkchs = '' } = found.value;
  return {
    kind: 'ready',
    source,
    channels,
    // What a device does not say, it cannot do.
    movable: channels.filter((channel) => ptzchs[channel - 1] === '1'),
    talkable: channels.filter((channel) => talkchs[channel - 1] === '1'),
    layout: (server.ok ? server.value.simpleLive?.layout : undefined) ?? '',
  };
}

function failed(error: PageFailure, deps: LiveDeps): LiveView {
  deps.setTitle('error');
  return { kind: 'error', error };
}

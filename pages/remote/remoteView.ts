// From the page's address to what it plays. Plain TypeScript, started before React. The device is asked to play only once
// it is known, and the stream is opened only once the device has begun.
import type { ApiFailure, ApiResult } from '../../shared/api/client.ts';
import type { DeviceQuery } from '../../shared/api/devices/device.ts';
import type { RemotePlayRequest } from '../../shared/api/recordings/remotePlayback.ts';
import type { PageFailure, PageView, ReadyView } from '../../shared/player/page/pageView.ts';
import { vehicleName } from '../../shared/player/page/vehicleName.ts';
import type { DeviceInfo, LinkCredential } from '../../shared/protocol/api.ts';
import { DEFAULT_REMOTE_MASK, parseDeviceRef, selectChannels } from '../../shared/protocol/channels.ts';
import { parseRemotePlaybackPath } from '../../shared/protocol/playbackPath.ts';

export type RemoteView = PageView<RemoteTarget, RemoteFailure>;

/** What the page shows. */
export interface RemoteTarget extends ReadyView {
  readonly channel: number;
  /** What the device plays. */
  readonly play: RemotePlayRequest;
}

/** Beyond the failures of every video page: the device was asked to play, and does not. */
export type RemoteFailure = PageFailure | { readonly kind: 'play'; readonly failure: ApiFailure };

export interface RemoteDeps {
  readonly getDevice: (query: DeviceQuery) => Promise<ApiResult<DeviceInfo>>;
  readonly playRemote: (link: LinkCredential, play: RemotePlayRequest) => Promise<ApiResult<unknown>>;
  readonly newStreamId: () => number;
  readonly setTitle: (title: string) => void;
}

/** Loads what `/remote/{path}` names. Never rejects. */
export async function loadRemoteView(path: string, deps: RemoteDeps): Promise<RemoteView> {
  const link = parseRemotePlaybackPath(path);
  if (link === undefined) return failed({ kind: 'link' }, deps);
  const { deviceId, mask } = parseDeviceRef(link.device, DEFAULT_REMOTE_MASK);
  deps.setTitle(`${deviceId} Playback`);
  if (link.start === undefined) return { kind: 'nothing' };
  const credential = { username: link.username, credential: link.credential };
  const source = { ...credential, deviceid: deviceId };
  const found = await deps.getDevice(source);
  if (!found.ok) return failed({ kind: 'call', failure: found }, deps);
  const [channel] = selectChannels(mask, found.value, 'remote');
  if (channel === undefined) return { kind: 'nothing' };
  const play = {
    deviceid: deviceId,
    streamid: deps.newStreamId(),
    spbtime: link.start,
    duration: link.durationSeconds,
    chs: 2 ** (channel - 1),
  };
  const played = await deps.playRemote(credential, play);
  if (!played.ok) return failed({ kind: 'play', failure: played }, deps);
  return { kind: 'ready', source, vehicle: vehicleName(found.value, deviceId), channel, play };
}

function failed(error: RemoteFailure, deps: RemoteDeps): RemoteView {
  deps.setTitle('error');
  return { kind: 'error', error };
}

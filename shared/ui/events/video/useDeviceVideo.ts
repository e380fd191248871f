// With what this session plays a device's video, and which channels there are.
import type { ApiFailure, ApiResult } from '../../../api/client.ts';
import { type DeviceQuery, getDevice } from '../../../api/devices/device.ts';
import { openDeviceView } from '../../../api/links.ts';
import type { DeviceInfo } from '../../../protocol/api.ts';
import { useRecord } from '../../records/useRecord.ts';

export interface DeviceVideo {
  readonly source: DeviceQuery;
  readonly info: DeviceInfo;
}

export interface LoadedDeviceVideo {
  readonly video: DeviceVideo | undefined;
  readonly failure: ApiFailure | undefined;
  readonly reload: () => void;
}

export function useDeviceVideo(deviceId: string): LoadedDeviceVideo {
  const { value, failure, reload } = useRecord({
    key: ['device-video', deviceId],
    load: (signal) => loadDeviceVideo(deviceId, signal),
  });
  return { video: value, failure, reload };
}

async function loadDeviceVideo(deviceid: string, signal: AbortSignal): Promise<ApiResult<DeviceVideo>> {
  const view = await openDeviceView(deviceid, undefined, signal);
  if (!view.ok) return view;
  const [, username = '', credential = ''] = view.value.link.split('/').map(decodeURIComponent);
  const source = { deviceid, username, credential };
  const info = await getDevice(source, signal);
  return info.ok ? { ok: true, value: { source, info: info.value } } : info;
}

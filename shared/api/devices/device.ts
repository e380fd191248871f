import type { DeviceInfo, LinkCredential } from '../../protocol/api.ts';
import { type ApiResult, mapResult, requestJson } from '../client.ts';
import { readDevice } from '../parsers.ts';

export interface DeviceQuery extends LinkCredential {
  /** Without a channel mask. */
  readonly deviceid: string;
}

/** The device that a link opens. An unknown one, one out of reach and a wrong credential answer alike. */
export async function getDevice(query: DeviceQuery, signal?: AbortSignal): Promise<ApiResult<DeviceInfo>> {
  const { username, credential, deviceid } = query;
  const result = await requestJson<unknown>('/api/device/device', {
    query: { username, credential, deviceid },
    signal,
  });
  return mapResult(result, readDevice);
}

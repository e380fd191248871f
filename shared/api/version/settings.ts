// Settings of the installation.
import {
  type ChangedServerSettings,
  SERVER_SETTINGS_PATH,
  ServerSettings,
} from '../../protocol/api/system/settings.ts';
import type { ApiResult } from '../client.ts';
import { readRecord } from '../readRecord.ts';
import { requestRecord } from '../requestRecord.ts';

export function getServerSettings(signal?: AbortSignal): Promise<ApiResult<ServerSettings>> {
  return requestRecord(SERVER_SETTINGS_PATH, ServerSettings, { signal });
}

export function changeServerSettings(body: ChangedServerSettings): Promise<ApiResult<ServerSettings>> {
  return requestRecord(SERVER_SETTINGS_PATH, ServerSettings, { method: 'PUT', body });
}

export function readServerSettings(data: unknown): ServerSettings {
  return readRecord(ServerSettings, data);
}

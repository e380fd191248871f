// Settings of the installation.
import {
  type ChangedServerSettings,
  RECORDING_PRESET_PATH,
  SERVER_SETTINGS_PATH,
  SETTINGS_ELSEWHERE_PATH,
  ServerSettings,
  SettingsElsewhere,
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

export function getSettingsElsewhere(signal?: AbortSignal): Promise<ApiResult<SettingsElsewhere>> {
  return requestRecord(SETTINGS_ELSEWHERE_PATH, SettingsElsewhere, { signal });
}

/** Code: `conflict`, when somebody has changed it since `version`. */
export function resetRecording(version: number): Promise<ApiResult<SettingsElsewhere>> {
  return requestRecord(RECORDING_PRESET_PATH, SettingsElsewhere, { method: 'DELETE', query: { version } });
}

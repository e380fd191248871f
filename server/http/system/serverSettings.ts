// Settings of the installation between the `setting` table, the environment's presets and the calls that edit them. Pure.
import type {
  ServerPresets,
  ServerSettings,
  ServerSettingValues,
} from '../../../shared/protocol/api/system/settings.ts';
import type { VideoLayout } from '../../../shared/protocol/api/system.ts';
import { utcDayMs, utcDayOf } from '../../../shared/protocol/utcDay.ts';
import type { Config } from '../../config/variables.ts';

/** Names in the `setting` table. */
export const ServerSetting = {
  WebTitle: 'web_title',
  LiveLayout: 'live_layout',
  PlaybackLayout: 'playback_layout',
  MaxLicense: 'max_license',
  /** Milliseconds since the epoch; 0 for never. */
  LicenseExpiresMs: 'license_expires_ms',
} as const;

export type Presets = Pick<Config, 'webTitle' | 'liveLayout' | 'playbackLayout' | 'maxLicense' | 'licenseExpiresMs'>;

type StoredSettings = ReadonlyMap<string, string>;

/** 0: never. */
export function licenseExpiresMs(stored: StoredSettings, presets: Presets): number {
  return Number(stored.get(ServerSetting.LicenseExpiresMs) ?? presets.licenseExpiresMs);
}

/** The values that an administrator has set; null where the preset applies. */
export function settingValues(stored: StoredSettings): ServerSettingValues {
  const expiresMs = stored.get(ServerSetting.LicenseExpiresMs);
  const maxLicense = stored.get(ServerSetting.MaxLicense);
  return {
    webTitle: stored.get(ServerSetting.WebTitle) ?? null,
    liveLayout: layoutOf(stored.get(ServerSetting.LiveLayout)),
    playbackLayout: layoutOf(stored.get(ServerSetting.PlaybackLayout)),
    maxLicense: maxLicense === undefined ? null : Number(maxLicense),
    licenseExpires: expiresMs === undefined ? null : dayOf(Number(expiresMs)),
  };
}

function presetsOf(presets: Presets): ServerPresets {
  return {
    webTitle: presets.webTitle,
    liveLayout: layoutOf(presets.liveLayout) ?? '',
    playbackLayout: layoutOf(presets.playbackLayout) ?? '',
    maxLicense: presets.maxLicense,
    licenseExpires: dayOf(presets.licenseExpiresMs),
  };
}

export function settingsInForce(stored: StoredSettings, presets: Presets): ServerPresets {
  const preset = presetsOf(presets);
  const { webTitle, liveLayout, playbackLayout, maxLicense, licenseExpires } = settingValues(stored);
  return {
    webTitle: webTitle ?? preset.webTitle,
    liveLayout: liveLayout ?? preset.liveLayout,
    playbackLayout: playbackLayout ?? preset.playbackLayout,
    maxLicense: maxLicense ?? preset.maxLicense,
    licenseExpires: licenseExpires ?? preset.licenseExpires,
  };
}

export function serverSettings(stored: StoredSettings, version: number, presets: Presets): ServerSettings {
  return { ...settingValues(stored), version, presets: presetsOf(presets) };
}

/** The values as the table stores them. Undefined where `licenseExpires` is not a day of the calendar. */
export function columnsOf(values: ServerSettingValues): ReadonlyMap<string, string | null> | undefined {
  const { webTitle, liveLayout, playbackLayout, maxLicense, licenseExpires } = values;
  const expiresMs = licenseExpires ? utcDayMs(licenseExpires) : 0;
  if (expiresMs === undefined) return undefined;
  return new Map([
    [ServerSetting.WebTitle, webTitle === null ? null : webTitle.trim()],
    [ServerSetting.LiveLayout, liveLayout],
    [ServerSetting.PlaybackLayout, playbackLayout],
    [ServerSetting.MaxLicense, maxLicense === null ? null : String(maxLicense)],
    [ServerSetting.LicenseExpiresMs, licenseExpires === null ? null : String(expiresMs)],
  ]);
}

function dayOf(atMs: number): string {
  return atMs === 0 ? '' : utcDayOf(atMs);
}

/** Null where nothing is set. A text that no version of the product has written counts as the plain layout. */
function layoutOf(text: string | undefined): VideoLayout | null {
  if (text === undefined) return null;
  return text === '3x3' ? '3x3' : '';
}

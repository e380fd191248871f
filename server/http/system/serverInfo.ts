// What an installation says of itself: settings of the database, preset from the environment.
import type { ServerInfo, VideoLayout } from '../../../shared/protocol/api/system.ts';
import { toWallSeconds, wallMs } from '../../../shared/protocol/time.ts';
import { createLinkKey } from '../../auth/linkKey.ts';
import type { Config } from '../../config/variables.ts';
import type { SettingStore } from '../../store/system/settings.ts';

/** Names in the settings table. */
export const ServerSetting = {
  WebTitle: 'web_title',
  LiveLayout: 'live_layout',
  PlaybackLayout: 'playback_layout',
  MaxLicense: 'max_license',
  /** Milliseconds since the epoch; 0 for never. */
  LicenseExpiresMs: 'license_expires_ms',
  /** Hex of the key that seals live links. Made once, at the first start. */
  LinkKey: 'link_key',
} as const;

export type Presets = Pick<Config, 'webTitle' | 'liveLayout' | 'playbackLayout' | 'maxLicense' | 'licenseExpiresMs'>;

export interface ServerInfoReader {
  /** `whole`: with version and licence, which are for callers with `system` only. */
  read(whole: boolean): Promise<ServerInfo>;
}

export function createServerInfoReader(settings: SettingStore, presets: Presets, version: string): ServerInfoReader {
  return {
    read: async (whole) => {
      const stored = await settings.getAll();
      const linkKey =
        stored.get(ServerSetting.LinkKey) ?? (await settings.setOnce(ServerSetting.LinkKey, createLinkKey()));
      const open = {
        web_title: stored.get(ServerSetting.WebTitle) ?? presets.webTitle,
        simpleLive: { layout: layoutOf(stored.get(ServerSetting.LiveLayout) ?? presets.liveLayout) },
        simplePlayback: { layout: layoutOf(stored.get(ServerSetting.PlaybackLayout) ?? presets.playbackLayout) },
        linkKey,
      };
      if (!whole) return open;
      return {
        ...open,
        version,
        max_license: Number(stored.get(ServerSetting.MaxLicense) ?? presets.maxLicense),
        expired: toWallSeconds(wallMs(licenseExpiresMs(stored, presets))),
      };
    },
  };
}

/** 0: never. */
export function licenseExpiresMs(stored: ReadonlyMap<string, string>, presets: Presets): number {
  return Number(stored.get(ServerSetting.LicenseExpiresMs) ?? presets.licenseExpiresMs);
}

function layoutOf(text: string): VideoLayout {
  return text === '3x3' ? '3x3' : '';
}

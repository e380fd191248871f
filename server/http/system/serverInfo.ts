// Information about the installation for everyone who opens it, and for callers with `system`.
import type { OpenServerInfo, ServerInfo } from '../../../shared/protocol/api/system.ts';
import { toWallSeconds, wallMs } from '../../../shared/protocol/time.ts';
import { createLinkKey } from '../../auth/linkKey.ts';
import type { SettingStore } from '../../store/system/settings.ts';
import { licenseExpiresMs, type Presets, settingsInForce } from './serverSettings.ts';

/** Hex of the key that seals live links. Made once, at the first start. */
const LINK_KEY = 'link_key';

export interface ServerInfoReader {
  /** `whole`: with version and license, which are for callers with `system` only. */
  read(whole: boolean): Promise<ServerInfo>;
  /** The part whose changes open pages are notified of. */
  readOpen(): Promise<OpenServerInfo>;
  /** Maximum devices that the license allows, in all member groups together; 0 for no limit. */
  maxDevices(): Promise<number>;
}

export function createServerInfoReader(settings: SettingStore, presets: Presets, version: string): ServerInfoReader {
  return {
    maxDevices: async () => settingsInForce(await settings.getAll(), presets).maxLicense,
    readOpen: async () => openInfo(await settings.getAll(), presets),
    read: async (whole) => {
      const stored = await settings.getAll();
      const linkKey = stored.get(LINK_KEY) ?? (await settings.setOnce(LINK_KEY, createLinkKey()));
      const open = { ...openInfo(stored, presets), linkKey };
      if (!whole) return open;
      return {
        ...open,
        version,
        max_license: settingsInForce(stored, presets).maxLicense,
        expired: toWallSeconds(wallMs(licenseExpiresMs(stored, presets))),
      };
    },
  };
}

function openInfo(stored: ReadonlyMap<string, string>, presets: Presets): OpenServerInfo {
  const { webTitle, liveLayout, playbackLayout } = settingsInForce(stored, presets);
  return { web_title: webTitle, simpleLive: { layout: liveLayout }, simplePlayback: { layout: playbackLayout } };
}

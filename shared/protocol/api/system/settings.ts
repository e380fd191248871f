// Settings of the installation: what an administrator has set, beside the presets of the gateway's environment.
import * as Type from 'typebox/type';
import { RecordingPolicy } from '../deviceRecording.ts';
import { Count, closed, Flag, LineOfText, Nullable, OneOf, type RecordOf, Text, Version } from '../records.ts';
import { VIDEO_LAYOUTS } from '../system.ts';

/** GET: a ServerSettings; PUT, with a ChangedServerSettings: the same. Takes `system` and `gmsversion`. */
export const SERVER_SETTINGS_PATH = '/api/version/settings';
/** GET: a SettingsElsewhere, with the same permissions. */
export const SETTINGS_ELSEWHERE_PATH = '/api/version/elsewhere';
/** DELETE, with the version that was seen: the preset applies again. Takes `devicegroup` as well; gives the SettingsElsewhere. */
export const RECORDING_PRESET_PATH = '/api/version/elsewhere/recording';
export const MAX_WEB_TITLE = 100;
export const MAX_LICENSES = 1_000_000_000;

const Layout = OneOf(VIDEO_LAYOUTS);
const LicenseCount = Type.Integer({ minimum: 0, maximum: MAX_LICENSES });
/** `YYYY-MM-DD`: the license ends as this day begins in UTC; '' for never. */
const Day = Type.String({ pattern: '^(\\d{4}-\\d{2}-\\d{2})?$' });

/** Null: the preset applies. */
const set = {
  webTitle: Nullable(LineOfText(MAX_WEB_TITLE)),
  liveLayout: Nullable(Layout),
  playbackLayout: Nullable(Layout),
  maxLicense: Nullable(LicenseCount),
  licenseExpires: Nullable(Day),
};
export const ServerSettingValues = Type.Object(set, closed);
export type ServerSettingValues = RecordOf<typeof ServerSettingValues>;

export const ServerPresets = Type.Object({
  webTitle: Text,
  liveLayout: Layout,
  playbackLayout: Layout,
  maxLicense: LicenseCount,
  licenseExpires: Text,
});
export type ServerPresets = RecordOf<typeof ServerPresets>;

export const ServerSettings = Type.Object({
  version: Version,
  ...set,
  webTitle: Nullable(Text),
  presets: ServerPresets,
});
export type ServerSettings = RecordOf<typeof ServerSettings>;

export const ChangedServerSettings = Type.Object({ ...set, version: Version }, closed);
export type ChangedServerSettings = RecordOf<typeof ChangedServerSettings>;

/** Settings of the installation that other pages change. */
export const SettingsElsewhere = Type.Object({
  /** Recording policy for devices without one of their own. `own`: null while the preset applies; `version` is then 0. */
  recording: Type.Object({ own: Nullable(RecordingPolicy), version: Count, preset: RecordingPolicy }),
  secondFactorForAll: Flag,
});
export type SettingsElsewhere = RecordOf<typeof SettingsElsewhere>;

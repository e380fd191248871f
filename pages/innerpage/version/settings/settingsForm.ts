// What the form of the settings holds: null where the preset of the environment holds. Pure.
import {
  MAX_LICENSES,
  type ServerPresets,
  type ServerSettingValues,
} from '../../../../shared/protocol/api/system/settings.ts';
import { utcDayMs } from '../../../../shared/protocol/utcDay.ts';

/** The number of licensed devices as it is typed. */
export interface SettingsDraft extends Omit<ServerSettingValues, 'maxLicense'> {
  readonly maxLicense: string | null;
}

export interface SettingsTexts {
  readonly badCount: string;
  readonly badDay: string;
}

export function draftOfSettings(settings: ServerSettingValues): SettingsDraft {
  const { webTitle, liveLayout, playbackLayout, maxLicense, licenseExpires } = settings;
  return {
    webTitle,
    liveLayout,
    playbackLayout,
    maxLicense: maxLicense === null ? null : countText(maxLicense),
    licenseExpires,
  };
}

/** A draft that `checkSettings` finds nothing wrong with. */
export function valuesOfDraft({ maxLicense, ...draft }: SettingsDraft): ServerSettingValues {
  return { ...draft, maxLicense: maxLicense === null ? null : Number(maxLicense) };
}

/** Typed as it is read: nothing for no limit. */
function countText(count: number): string {
  return count === 0 ? '' : String(count);
}

export function checkSettings(
  { maxLicense, licenseExpires }: SettingsDraft,
  { badCount, badDay }: SettingsTexts,
): Partial<Record<keyof SettingsDraft, string>> {
  return {
    ...(maxLicense !== null && !isCount(maxLicense) ? { maxLicense: badCount } : {}),
    ...(licenseExpires && utcDayMs(licenseExpires) === undefined ? { licenseExpires: badDay } : {}),
  };
}

/** The presets as the form's fields show them. */
export function draftOfPresets({ maxLicense, ...presets }: ServerPresets): {
  readonly [Name in keyof SettingsDraft]: NonNullable<SettingsDraft[Name]>;
} {
  return { ...presets, maxLicense: countText(maxLicense) };
}

function isCount(text: string): boolean {
  return /^\d{0,10}$/.test(text) && Number(text) <= MAX_LICENSES;
}

// Firmware images, and what is known of the models of terminals. All calls take `fwupdate`.
import * as Type from 'typebox/type';
import { FIRMWARE_METHODS, FIRMWARE_PARTS } from '../../firmware/firmwareWords.ts';
import {
  Count,
  closed,
  Flag,
  Id,
  LineOfText,
  OneOf,
  type RecordOf,
  ShortText,
  Text,
  Timestamp,
  Version,
} from '../records.ts';

export const FIRMWARE_IMAGES_PATH = '/api/firmware/images';
export const FIRMWARE_MODELS_PATH = '/api/firmware/models';
/** GET: a FirmwareVersions. */
export const FIRMWARE_VERSIONS_PATH = '/api/firmware/versions';
/** GET, with InstalledVersionFilters: a list of InstalledDevice. */
export const FIRMWARE_INSTALLED_PATH = '/api/firmware/installed';

export const MAX_FIRMWARE_BYTES = 512 * 1_024 * 1_024;
export const MAX_FIRMWARE_IMAGES = 500;
export const MAX_FIRMWARE_MODELS = 500;

/** A value as terminals report it; `*` stands for any characters. */
const Pattern = Type.String({ minLength: 1, maxLength: 60, pattern: '^[^\\u0000-\\u001f\\u007f]*$' });

const imageContent = {
  name: LineOfText(100),
  /** Manufacturer's id as terminals report it; '' for any. */
  vendor: LineOfText(20),
  /** One of them has to fit the terminal's model. */
  models: Type.Array(Pattern, { minItems: 1, maxItems: 50, uniqueItems: true }),
  /** A pattern; '' for any. */
  hardwareVersion: LineOfText(60),
  /** The version that the terminal reports once the image is installed. */
  firmwareVersion: Type.String({ minLength: 1, maxLength: 60, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }),
  /** The lowest version that must be installed before; '' for any. */
  minimumVersion: LineOfText(60),
  part: OneOf(FIRMWARE_PARTS, 'terminal'),
  notes: Type.String({ maxLength: 2_000 }),
};
export const FirmwareImageContent = Type.Object(imageContent, closed);
export type FirmwareImageContent = RecordOf<typeof FirmwareImageContent>;
export const NewFirmwareImage = Type.Object({ ...imageContent, upload: ShortText }, closed);
export type NewFirmwareImage = RecordOf<typeof NewFirmwareImage>;
export const ChangedFirmwareImage = Type.Object({ ...imageContent, version: Version }, closed);
export type ChangedFirmwareImage = RecordOf<typeof ChangedFirmwareImage>;
export const FirmwareImage = Type.Object({
  id: Id,
  version: Version,
  ...imageContent,
  sha256: Text,
  bytes: Count,
  addedAtMs: Timestamp,
  addedBy: Text,
  /** Tasks that have not ended, or whose terminals may still be installing the image: until then it can't be deleted. */
  openTasks: Count,
});
export type FirmwareImage = RecordOf<typeof FirmwareImage>;
export const FIRMWARE_IMAGE_SORTS = ['name', 'firmwareVersion', 'bytes', 'addedAtMs'] as const;

/** Shorter than 5 ms is hardly a pause for a terminal; with 5 s between its packages, an image of 1 MB takes an hour and a half. */
export const PACKAGE_INTERVAL_MS = { least: 5, most: 5_000 } as const;
const PackageIntervalMs = Type.Union([
  Type.Literal(0),
  Type.Integer({ minimum: PACKAGE_INTERVAL_MS.least, maximum: PACKAGE_INTERVAL_MS.most }),
]);

const modelContent = {
  /** A pattern for terminals' models; the longest one that fits applies. */
  pattern: Pattern,
  method: OneOf(FIRMWARE_METHODS, 'packages'),
  /** Length of the manufacturer in 0x8108: 5 by the standard, 11 in some terminals of 2019. */
  manufacturerBytes: Type.Union([Type.Literal(5), Type.Literal(11)]),
  /** Packages that the terminal takes before it has acknowledged the first of them. */
  window: Type.Integer({ minimum: 1, maximum: 8 }),
  /**
   * For terminals that acknowledge only the last package: packages go out at this interval, and none waits for an acknowledgment. 0
   * or left out: the window applies.
   */
  packageIntervalMs: Type.Optional(PackageIntervalMs),
  /** For `text` and `passthrough`: with {url}, {version}, {bytes} and {sha256}. */
  template: Type.String({ maxLength: 500 }),
  /** For `passthrough`: its type, 0 to 255. */
  passthroughType: Type.Integer({ minimum: 0, maximum: 255 }),
};
export const FirmwareModelContent = Type.Object(modelContent, closed);
export type FirmwareModelContent = RecordOf<typeof FirmwareModelContent>;
export const ChangedFirmwareModel = Type.Object({ ...modelContent, version: Version }, closed);
export type ChangedFirmwareModel = RecordOf<typeof ChangedFirmwareModel>;
export const FirmwareModel = Type.Object({ id: Id, version: Version, ...modelContent });
export type FirmwareModel = RecordOf<typeof FirmwareModel>;
export const FIRMWARE_MODEL_SORTS = ['pattern', 'method'] as const;

/** Number of devices of the member group with each version, by model; '' where the terminal has never reported it. */
export const FirmwareVersions = Type.Array(
  Type.Object({ manufacturer: Text, model: Text, firmwareVersion: Text, devices: Count }),
);
export type FirmwareVersions = RecordOf<typeof FirmwareVersions>;

/** One row of FirmwareVersions; what is left out is ''. */
export const InstalledVersionFilters = {
  manufacturer: Type.Optional(LineOfText(100)),
  model: Type.Optional(LineOfText(100)),
  firmwareVersion: Type.Optional(LineOfText(256)),
};
/** A device of that row. */
export const InstalledDevice = Type.Object({
  deviceid: Text,
  name: Text,
  plate: Text,
  hardwareVersion: Text,
  /** When the terminal last reported what it is; 0: never. */
  reportedAtMs: Timestamp,
  isOnline: Flag,
});
export type InstalledDevice = RecordOf<typeof InstalledDevice>;
export const INSTALLED_DEVICE_SORTS = ['name', 'reportedAtMs'] as const;

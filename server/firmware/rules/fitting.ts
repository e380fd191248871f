// Whether an image may go onto a device. Pure.
import type { FirmwareFault, FirmwarePart } from '../../../shared/protocol/firmware/firmwareWords.ts';
import { fitsPattern, fitsPatternOrAny } from './patterns.ts';
import { compareVersions } from './versions.ts';

export interface ImageDemands {
  readonly vendor: string;
  readonly models: readonly string[];
  readonly hardwareVersion: string;
  readonly firmwareVersion: string;
  readonly minimumVersion: string;
  readonly part: FirmwarePart;
}

/** What the terminal last said of itself; all '' where it never has. */
export interface DeviceVersions {
  readonly manufacturer: string;
  readonly model: string;
  readonly hardwareVersion: string;
  readonly firmwareVersion: string;
}

/** The first reason why not; '' for none. A terminal that has never said what it is fits nothing but an image for all models. */
export function faultOfFit(image: ImageDemands, device: DeviceVersions): FirmwareFault {
  if (!isOfVendor(image.vendor, device.manufacturer)) return 'model-mismatch';
  if (!image.models.some((pattern) => fitsPattern(pattern, device.model))) return 'model-mismatch';
  if (!fitsPatternOrAny(image.hardwareVersion, device.hardwareVersion)) return 'hardware-mismatch';
  return faultOfVersion(image, device.firmwareVersion);
}

function isOfVendor(vendor: string, manufacturer: string): boolean {
  return vendor.trim() === '' || vendor.trim().toLowerCase() === manufacturer.trim().toLowerCase();
}

/** 0x0107 names the version of the terminal alone: those of its card reader and its GNSS module aren't known. */
function faultOfVersion({ part, firmwareVersion, minimumVersion }: ImageDemands, installed: string): FirmwareFault {
  const isKnown = installed.trim() !== '';
  if (minimumVersion.trim() !== '' && (!isKnown || compareVersions(installed, minimumVersion) < 0)) {
    return 'version-too-old';
  }
  if (part !== 'terminal' || !isKnown) return '';
  const order = compareVersions(firmwareVersion, installed);
  if (order === 0) return 'already-installed';
  return order < 0 ? 'older-version' : '';
}

// Firmware images, models of terminals, and which versions are in the fleet.
import {
  type ChangedFirmwareImage,
  FIRMWARE_IMAGES_PATH,
  FIRMWARE_INSTALLED_PATH,
  FIRMWARE_MODELS_PATH,
  FIRMWARE_VERSIONS_PATH,
  FirmwareImage,
  FirmwareModel,
  type FirmwareModelContent,
  FirmwareVersions,
  InstalledDevice,
  type NewFirmwareImage,
} from '../../protocol/api/firmware/images.ts';
import { Nothing } from '../../protocol/api/records.ts';
import type { ApiResult } from '../client.ts';
import { type ListPage, type ListQuery, requestList } from '../list.ts';
import { readRecord } from '../readRecord.ts';
import { recordClient } from '../recordClient.ts';
import { requestRecord } from '../requestRecord.ts';

export function listFirmwareImages(
  query: ListQuery,
  signal?: AbortSignal,
): Promise<ApiResult<ListPage<FirmwareImage>>> {
  return requestList(FIRMWARE_IMAGES_PATH, FirmwareImage, query, signal);
}

export function addFirmwareImage(image: NewFirmwareImage): Promise<ApiResult<FirmwareImage>> {
  return requestRecord(FIRMWARE_IMAGES_PATH, FirmwareImage, { method: 'POST', body: image });
}

export function changeFirmwareImage(id: number, image: ChangedFirmwareImage): Promise<ApiResult<FirmwareImage>> {
  return requestRecord(`${FIRMWARE_IMAGES_PATH}/${id}`, FirmwareImage, { method: 'PUT', body: image });
}

export function removeFirmwareImage({
  id,
  version,
}: Pick<FirmwareImage, 'id' | 'version'>): Promise<ApiResult<unknown>> {
  return requestRecord(`${FIRMWARE_IMAGES_PATH}/${id}`, Nothing, { method: 'DELETE', query: { version } });
}

/** An image as another member has left it, from a refusal. */
export function readFirmwareImage(image: unknown): FirmwareImage {
  return readRecord(FirmwareImage, image);
}

export const firmwareModels = recordClient<FirmwareModelContent, typeof FirmwareModel>(
  FIRMWARE_MODELS_PATH,
  FirmwareModel,
);

export function getFirmwareVersions(signal?: AbortSignal): Promise<ApiResult<FirmwareVersions>> {
  return requestRecord(FIRMWARE_VERSIONS_PATH, FirmwareVersions, { signal });
}

/** The devices of one row of the versions. */
export function listInstalledDevices(
  query: ListQuery,
  signal?: AbortSignal,
): Promise<ApiResult<ListPage<InstalledDevice>>> {
  return requestList(FIRMWARE_INSTALLED_PATH, InstalledDevice, query, signal);
}

import { fromFields } from '../../server/devices/deviceFields.ts';
import type { NewDeviceRecord } from '../../server/store/devices/deviceRecordRows.ts';
import { BLANK_DEVICE } from '../../shared/protocol/api/devices.ts';

/** A device whose name is its id, and of which nothing else is known. */
export function newDeviceRecord(deviceId: string, more: Partial<NewDeviceRecord> = {}): NewDeviceRecord {
  return { ...fromFields(BLANK_DEVICE), deviceId, name: deviceId, ...more };
}

import type { DeviceInfo } from '../../protocol/api.ts';

/** How a video page names its vehicle: the name and the plate number, or the device ID where there is neither. */
export function vehicleName({ name = '', plate = '' }: Pick<DeviceInfo, 'name' | 'plate'>, deviceId: string): string {
  const parts = [name, name.includes(plate) ? '' : plate].filter((part) => part !== '');
  return parts.length > 0 ? parts.join(' · ') : deviceId;
}

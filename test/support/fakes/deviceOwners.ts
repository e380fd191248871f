import type { DeviceOwners } from '../../../server/limits/deviceOwners.ts';

/** All devices are of one member group, which shares with nobody. */
export const ONE_OWNER: DeviceOwners = { ofDevice: () => 1, ofArchive: () => 1, count: 1 };

/** Devices are of the member group in whose hundred their number is: BUS101 and BUS150 of group 1, BUS201 of group 2. */
export const OWNERS_BY_HUNDRED: DeviceOwners = {
  ofDevice: (deviceId) => Math.floor(Number(deviceId.replace(/\D/g, '')) / 100),
  ofArchive: (archiveNumber) => Math.floor(archiveNumber / 100),
  count: 3,
};

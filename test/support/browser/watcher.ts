import { createSecret, hashSecret } from '../../../server/auth/secrets.ts';
import type { Device } from '../../../server/store/devices/devices.ts';
import type { LinkKind } from '../../../server/store/links/linkCredentials.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { VehicleProfile } from '../../../simulator/vehicleProfile.ts';

/** Who owns the links. */
export const WATCHER = 'watcher';

/** What the vehicles' channels have beside a lens; nothing, where it says nothing. */
export type Fitted = Partial<Pick<Device, 'ptzchs' | 'talkchs'>>;

/**
 * A vehicle, a user whose group owns it, and a link credential of these kinds to all its channels; returns the link's
 * text, `deviceid/username/credential`.
 */
export async function addWatchedVehicle(
  stores: Stores,
  vehicle: VehicleProfile,
  kinds: readonly LinkKind[] = ['live'],
  fitted: Fitted = {},
): Promise<string> {
  const [link = ''] = await addWatchedVehicles(stores, [vehicle], kinds, fitted);
  return link;
}

/** The same for several vehicles of one user, each with a link of its own for these kinds. */
export async function addWatchedVehicles(
  stores: Stores,
  vehicles: readonly VehicleProfile[],
  kinds: readonly LinkKind[] = ['live'],
  fitted: Fitted = {},
): Promise<string[]> {
  const now = wallMs(Date.now());
  const deviceGroup = await stores.deviceGroups.insert('Group');
  const memberGroup = await stores.memberGroups.insert({ name: 'Members' });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  // No password opens this account: a hash is needed, and this is none.
  const ownerId = await stores.users.insert({ username: WATCHER, passwordHash: '-', permissions: ['talk'] }, now);
  await stores.memberGroups.setGroupsOfUser(ownerId, [memberGroup]);
  const links: string[] = [];
  for (const vehicle of vehicles) {
    await stores.devices.insert({
      deviceId: vehicle.deviceId,
      name: vehicle.name,
      chn: vehicle.channels,
      deviceGroup,
      terminal: { canonical: vehicle.number, raw: vehicle.number.padStart(20, '0') },
    });
    // The store makes every vehicle without them.
    if (Object.keys(fitted).length > 0) await stores.devices.update(vehicle.deviceId, fitted);
    const credential = createSecret();
    const link = { ownerId, deviceId: vehicle.deviceId, channelMask: 2 ** 32 - 1, kinds };
    await stores.linkCredentials.insert({ ...link, secretHash: hashSecret(credential) }, now);
    links.push(`${vehicle.deviceId}/${WATCHER}/${credential}`);
  }
  return links;
}

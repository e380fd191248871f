// Who may sign in to the demo, with passwords of this run alone.
import { createPasswords } from '../server/auth/passwords.ts';
import { createSecret } from '../server/auth/secrets.ts';
import type { Stores } from '../server/store/stores.ts';
import { ALL_PERMISSIONS, Permission } from '../shared/protocol/permissions.ts';
import { wallMs } from '../shared/protocol/time.ts';

export interface DemoAccount {
  readonly userId: number;
  readonly username: string;
  readonly password: string;
}

export interface DemoAccounts {
  /** May do everything. */
  readonly administrator: DemoAccount;
  /** Sees the fleet, its events and reports, and no administration. */
  readonly operator: DemoAccount;
  /** Looks after the devices, and approves what the administrator has prepared. */
  readonly fitter: DemoAccount;
  /** The group that the demo's devices go into. */
  readonly deviceGroup: number;
}

const PASSWORD_LENGTH = 10;
const OPERATOR_PERMISSIONS = [
  Permission.Event,
  Permission.Report,
  Permission.Export,
  Permission.Talk,
  Permission.DeviceText,
];
const FITTER_PERMISSIONS = [Permission.FirmwareUpdate, Permission.Datasync, Permission.Netflow];

/** Makes the demo's accounts and groups, or gives those of an earlier run in the same folder new passwords. */
export async function addDemoAccounts(stores: Stores): Promise<DemoAccounts> {
  const deviceGroup = await deviceGroupOf(stores, 'Buses');
  const everything = await memberGroupOf(stores, 'Lake line', [deviceGroup]);
  const empty = await memberGroupOf(stores, 'Training depot', []);
  return {
    administrator: await accountOf(stores, 'demo', ALL_PERMISSIONS, [everything, empty]),
    operator: await accountOf(stores, 'operator', OPERATOR_PERMISSIONS, [everything]),
    fitter: await accountOf(stores, 'fitter', FITTER_PERMISSIONS, [everything]),
    deviceGroup,
  };
}

async function accountOf(
  stores: Stores,
  username: string,
  permissions: readonly string[],
  memberGroups: readonly number[],
): Promise<DemoAccount> {
  const password = createSecret(PASSWORD_LENGTH);
  const passwords = await createPasswords();
  const passwordHash = await passwords.hash(password);
  const now = wallMs(Date.now());
  const known = await stores.users.findByName(username);
  if (known !== undefined) {
    await stores.users.setPasswordHash(known.id, passwordHash, now);
    return { userId: known.id, username, password };
  }
  const userId = await stores.users.insert({ username, passwordHash, permissions }, now);
  await stores.memberGroups.setGroupsOfUser(userId, memberGroups);
  return { userId, username, password };
}

async function deviceGroupOf(stores: Stores, name: string): Promise<number> {
  const known = (await stores.deviceGroups.list()).find((group) => group.name === name);
  return known?.serialno ?? stores.deviceGroups.insert(name);
}

async function memberGroupOf(stores: Stores, name: string, deviceGroups: readonly number[]): Promise<number> {
  const known = (await stores.memberGroups.list()).find((group) => group.name === name);
  if (known !== undefined) return known.serialno;
  const serialno = await stores.memberGroups.insert({ name, retentionDays: 30 });
  await stores.memberGroups.setDeviceGroups(serialno, deviceGroups);
  return serialno;
}

// The only module that knows `member_group` and which device groups and users belong to it.
import type { Selectable } from 'kysely';
import type { EditedGroup } from '../../../shared/protocol/api/accounts.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';
import { endInvitations, endInvitationsOfGroup } from './invitations.ts';
import type { MemberGroupTable } from './tables.ts';

export type MemberGroup = Pick<EditedGroup, 'serialno' | 'name' | 'retentionDays' | 'expiresAtMs'>;

type NewMemberGroup = Pick<MemberGroup, 'name'> & Partial<Pick<MemberGroup, 'retentionDays' | 'expiresAtMs'>>;

export interface MemberGroupStore {
  find(serialno: number): Promise<MemberGroup | undefined>;
  list(): Promise<MemberGroup[]>;
  /** The groups that the user belongs to, by number. */
  listOfUser(userId: number): Promise<MemberGroup[]>;
  /** Gives the new group's number. */
  insert(group: NewMemberGroup): Promise<number>;
  /** Replaces the device groups that the member group owns. */
  setDeviceGroups(serialno: number, deviceGroups: readonly number[]): Promise<void>;
  /** Replaces the member groups that the user belongs to. */
  setGroupsOfUser(userId: number, memberGroups: readonly number[]): Promise<void>;
  /** Whether the user belongs to a group that owns the device's group; with `memberGroup`, to that one. */
  userSeesDevice(userId: number, deviceId: string, memberGroup?: number): Promise<boolean>;
  /** For each device group the retention days, above 0, of the member groups that own it. */
  retentionsByDeviceGroup(): Promise<ReadonlyMap<number, readonly number[]>>;
  remove(serialno: number): Promise<boolean>;
}

export function createMemberGroupStore(db: StoreDb): MemberGroupStore {
  const groups = () => db.selectFrom('member_group').selectAll('member_group').orderBy('member_group.serialno');
  return {
    find: async (serialno) => {
      const row = await groups().where('member_group.serialno', '=', serialno).executeTakeFirst();
      return row === undefined ? undefined : toMemberGroup(row);
    },
    list: async () => (await groups().execute()).map(toMemberGroup),
    listOfUser: async (userId) => {
      const rows = await groups()
        .innerJoin('app_user_member_group as belongs', 'belongs.member_group', 'member_group.serialno')
        .where('belongs.user_id', '=', userId)
        .execute();
      return rows.map(toMemberGroup);
    },
    insert: async ({ name, retentionDays = 0, expiresAtMs = 0 }) => {
      const values = { name, retention_days: retentionDays, expires_at_ms: expiresAtMs };
      const row = await db.insertInto('member_group').values(values).returning('serialno').executeTakeFirstOrThrow();
      return row.serialno;
    },
    setDeviceGroups: (serialno, deviceGroups) => replaceDeviceGroups(db, serialno, deviceGroups),
    setGroupsOfUser: (userId, memberGroups) => replaceGroupsOfUser(db, userId, memberGroups),
    retentionsByDeviceGroup: () => retentionsByDeviceGroup(db),
    userSeesDevice: (userId, deviceId, memberGroup) => userSeesDevice(db, { userId, deviceId, memberGroup }),
    remove: (serialno) =>
      db.transaction().execute(async (transaction) => {
        await endInvitationsOfGroup(transaction, serialno);
        const group = transaction.deleteFrom('member_group').where('serialno', '=', serialno);
        return (await group.executeTakeFirst()).numDeletedRows > 0n;
      }),
  };
}

async function retentionsByDeviceGroup(db: StoreDb): Promise<ReadonlyMap<number, readonly number[]>> {
  const owners = db
    .selectFrom('member_group_device_group as owns')
    .innerJoin('member_group as owner', (join) => join.onRef('owner.serialno', '=', 'owns.member_group'));
  const rows = await owners
    .select(['owns.device_group', 'owner.retention_days'])
    .where('owner.retention_days', '>', 0)
    .execute();
  const days = new Map<number, number[]>();
  for (const row of rows) days.set(row.device_group, [...(days.get(row.device_group) ?? []), row.retention_days]);
  return days;
}

interface DeviceVisibility {
  readonly userId: number;
  readonly deviceId: string;
  readonly memberGroup: number | undefined;
}

async function userSeesDevice(db: StoreDb, { userId, deviceId, memberGroup }: DeviceVisibility): Promise<boolean> {
  const inAnyGroup = db
    .selectFrom('device')
    .innerJoin('member_group_device_group as owns', 'owns.device_group', 'device.device_group')
    .innerJoin('app_user_member_group as belongs', 'belongs.member_group', 'owns.member_group')
    .select('device.device_id')
    .where('device.device_id', '=', deviceId)
    .where('belongs.user_id', '=', userId)
    .limit(1);
  const selected = memberGroup === undefined ? inAnyGroup : inAnyGroup.where('owns.member_group', '=', memberGroup);
  return (await selected.executeTakeFirst()) !== undefined;
}

function replaceDeviceGroups(db: StoreDb, memberGroup: number, deviceGroups: readonly number[]): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('member_group_device_group').where('member_group', '=', memberGroup).execute();
    const rows = deviceGroups.map((deviceGroup) => ({ member_group: memberGroup, device_group: deviceGroup }));
    if (rows.length > 0) await transaction.insertInto('member_group_device_group').values(rows).execute();
  });
}

function replaceGroupsOfUser(db: StoreDb, userId: number, memberGroups: readonly number[]): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    await endInvitations(transaction, [userId]);
    await transaction.deleteFrom('app_user_member_group').where('user_id', '=', userId).execute();
    const rows = memberGroups.map((memberGroup) => ({ user_id: userId, member_group: memberGroup }));
    if (rows.length > 0) await transaction.insertInto('app_user_member_group').values(rows).execute();
  });
}

function toMemberGroup(row: Selectable<MemberGroupTable>): MemberGroup {
  return {
    serialno: row.serialno,
    name: row.name,
    retentionDays: row.retention_days,
    expiresAtMs: wallMs(row.expires_at_ms),
  };
}

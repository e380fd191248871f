// The choices for a rule of a member group: its members and devices, and the senders and templates of the installation.
import { SENDER_KINDS, type SenderKind } from '../../../shared/protocol/notify/notifyWords.ts';
import type { StoreDb } from '../engine/database.ts';

export interface StoredChoices {
  /** Ordered by username. */
  readonly members: readonly ChosenMember[];
  /** Built-in roles first. `members`: the number of members of the group with the role. */
  readonly roles: readonly {
    readonly id: number;
    readonly name: string;
    readonly builtIn: string;
    readonly members: number;
  }[];
  readonly senders: readonly {
    readonly id: number;
    readonly name: string;
    readonly kind: SenderKind;
    readonly enabled: boolean;
  }[];
  readonly templates: readonly { readonly id: number; readonly name: string; readonly kind: SenderKind }[];
  /** Device groups of the member group; `parent` is null when the parent isn't one of these. */
  readonly deviceGroups: readonly { readonly id: number; readonly name: string; readonly parent: number | null }[];
  readonly devices: readonly { readonly deviceid: string; readonly name: string; readonly plate: string }[];
}

interface ChosenMember {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  readonly hasEmail: boolean;
  readonly hasPhone: boolean;
  readonly pushBrowsers: number;
}

export interface NotifyChoiceStore {
  choices(memberGroup: number): Promise<StoredChoices>;
}

export function createNotifyChoiceStore(reading: StoreDb): NotifyChoiceStore {
  return {
    choices: async (memberGroup) => {
      const [members, roles, senders, templates, deviceGroups, devices] = await Promise.all([
        membersOf(reading, memberGroup),
        rolesOf(reading, memberGroup),
        sendersOf(reading),
        templatesOf(reading),
        deviceGroupsOf(reading, memberGroup),
        devicesOf(reading, memberGroup),
      ]);
      return { members, roles, senders, templates, deviceGroups, devices };
    },
  };
}

async function membersOf(db: StoreDb, memberGroup: number): Promise<ChosenMember[]> {
  const rows = await db
    .selectFrom('app_user')
    .innerJoin('app_user_member_group as belongs', 'belongs.user_id', 'app_user.id')
    .select(['app_user.id', 'app_user.username', 'app_user.display_name', 'app_user.email', 'app_user.phone'])
    .select((member) =>
      member
        .selectFrom('push_subscription')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('push_subscription.user_id', '=', 'app_user.id')
        .as('push_browsers'),
    )
    .where('belongs.member_group', '=', memberGroup)
    .orderBy('app_user.username_key')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    username: row.username,
    displayName: row.display_name,
    hasEmail: row.email !== '',
    hasPhone: row.phone !== '',
    pushBrowsers: row.push_browsers ?? 0,
  }));
}

async function rolesOf(db: StoreDb, memberGroup: number): Promise<StoredChoices['roles']> {
  const rows = await db
    .selectFrom('role')
    .select(['role.id', 'role.name', 'role.built_in'])
    .select((role) =>
      role
        .selectFrom('app_user')
        .innerJoin('app_user_member_group as belongs', 'belongs.user_id', 'app_user.id')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('belongs.member_group', '=', memberGroup)
        .whereRef('app_user.role', '=', 'role.id')
        .as('members'),
    )
    .orderBy('role.id')
    .execute();
  const roles = rows.map((row) => ({
    id: row.id,
    name: row.name,
    builtIn: row.built_in,
    members: row.members ?? 0,
  }));
  const own = roles.filter(({ builtIn }) => builtIn === '');
  return [...roles.filter(({ builtIn }) => builtIn !== ''), ...own.sort((a, b) => a.name.localeCompare(b.name))];
}

async function sendersOf(db: StoreDb): Promise<StoredChoices['senders']> {
  const senders = db.selectFrom('notify_sender').select(['id', 'name', 'kind', 'enabled']);
  const rows = await senders.orderBy('name').orderBy('id').execute();
  return rows.map((row) => ({ id: row.id, name: row.name, kind: kindOf(row.kind), enabled: row.enabled !== 0 }));
}

async function templatesOf(db: StoreDb): Promise<StoredChoices['templates']> {
  const templates = db.selectFrom('notify_template').select(['id', 'name', 'kind']);
  const rows = await templates.orderBy('name').orderBy('id').execute();
  return rows.map((row) => ({ id: row.id, name: row.name, kind: kindOf(row.kind) }));
}

function kindOf(kind: number): SenderKind {
  return SENDER_KINDS[kind] ?? 'email';
}

async function deviceGroupsOf(db: StoreDb, memberGroup: number): Promise<StoredChoices['deviceGroups']> {
  const rows = await db
    .selectFrom('device_group')
    .innerJoin('member_group_device_group as owns', 'owns.device_group', 'device_group.serialno')
    .select(['serialno', 'name', 'parent'])
    .where('owns.member_group', '=', memberGroup)
    .orderBy('position')
    .orderBy('serialno')
    .execute();
  const owned = new Set(rows.map(({ serialno }) => serialno));
  return rows.map(({ serialno, name, parent }) => {
    return { id: serialno, name, parent: parent !== null && owned.has(parent) ? parent : null };
  });
}

async function devicesOf(db: StoreDb, memberGroup: number): Promise<StoredChoices['devices']> {
  const rows = await db
    .selectFrom('device')
    .innerJoin('member_group_device_group as owns', 'owns.device_group', 'device.device_group')
    .select(['device.device_id', 'device.name', 'device.plate'])
    .where('owns.member_group', '=', memberGroup)
    .where('device.disabled', '=', 0)
    .orderBy('device.id_key')
    .execute();
  return rows.map((row) => ({ deviceid: row.device_id, name: row.name, plate: row.plate }));
}

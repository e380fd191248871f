// Members as recipients of notifications: addresses, their own choices, and what decides whether they may be notified.
import { LOCALES, type Locale } from '../../../shared/protocol/locale.ts';
import { type NotifyChoices, readNotifyChoices } from '../../../shared/protocol/notify/notifyChoices.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { permissionsOfRole } from '../accounts/roles.ts';
import type { StoreDb } from '../engine/database.ts';

export interface StoredNotifyMember extends Pick<NotifyChoices, 'channels' | 'quietHours'> {
  readonly id: number;
  readonly username: string;
  readonly displayName: string;
  /** '' for none, as is the phone number. */
  readonly email: string;
  readonly phone: string;
  /** Language of messages; undefined: the member has chosen none, and the account has none either. */
  readonly language: Locale | undefined;
  /** IANA name; '' for the gateway's own. */
  readonly timeZone: string;
  readonly disabled: boolean;
  /** 0: never. */
  readonly expiresAtMs: number;
  readonly role: number | undefined;
  readonly hasSystem: boolean;
  readonly memberGroups: ReadonlySet<number>;
  /** Number of browsers that the member allowed to show notifications. */
  readonly pushBrowsers: number;
}

export interface NotifyMemberStore {
  /** All members of a member group, ordered by id. */
  all(): Promise<StoredNotifyMember[]>;
}

export function createNotifyMemberStore(db: StoreDb): NotifyMemberStore {
  return {
    all: async () => {
      const [rows, groups, browsers] = await Promise.all([memberRows(db), groupsByUser(db), browsersByUser(db)]);
      return rows.map((row) => toMember(row, groups.get(row.id) ?? new Set(), browsers.get(row.id) ?? 0));
    },
  };
}

async function memberRows(db: StoreDb) {
  return db
    .selectFrom('app_user')
    .leftJoin('role', 'role.id', 'app_user.role')
    .select(['app_user.id', 'app_user.username', 'app_user.display_name', 'app_user.email', 'app_user.phone'])
    .select(['app_user.language', 'app_user.time_zone', 'app_user.notify_choices', 'app_user.disabled'])
    .select(['app_user.expires_at_ms', 'app_user.role', 'app_user.permissions as own_permissions'])
    .select(['role.built_in', 'role.permissions'])
    .where('app_user.id', 'in', (users) => users.selectFrom('app_user_member_group').select('user_id'))
    .orderBy('app_user.id')
    .execute();
}

type MemberRow = Awaited<ReturnType<typeof memberRows>>[number];

async function groupsByUser(db: StoreDb): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const rows = await db.selectFrom('app_user_member_group').select(['user_id', 'member_group']).execute();
  const groups = new Map<number, Set<number>>();
  for (const row of rows) groups.set(row.user_id, (groups.get(row.user_id) ?? new Set()).add(row.member_group));
  return groups;
}

async function browsersByUser(db: StoreDb): Promise<ReadonlyMap<number, number>> {
  const counts = db.selectFrom('push_subscription').select(({ fn }) => ['user_id', fn.countAll<number>().as('count')]);
  return new Map((await counts.groupBy('user_id').execute()).map((row) => [row.user_id, row.count]));
}

function toMember(row: MemberRow, memberGroups: ReadonlySet<number>, pushBrowsers: number): StoredNotifyMember {
  const { channels, quietHours, messageLanguage } = readNotifyChoices(row.notify_choices);
  const chosen = messageLanguage === '' ? row.language : messageLanguage;
  return {
    id: row.id,
    username: row.username,
    displayName: row.display_name,
    email: row.email,
    phone: row.phone,
    language: LOCALES.find((locale) => locale === chosen),
    timeZone: row.time_zone,
    disabled: row.disabled !== 0,
    expiresAtMs: row.expires_at_ms,
    role: row.role ?? undefined,
    hasSystem: permissionsOf(row).includes(Permission.System),
    memberGroups,
    pushBrowsers,
    channels,
    quietHours,
  };
}

function permissionsOf({ built_in, permissions, own_permissions }: MemberRow): readonly string[] {
  const isOwn = built_in === null || permissions === null;
  return isOwn ? (JSON.parse(own_permissions) as string[]) : permissionsOfRole({ built_in, permissions });
}

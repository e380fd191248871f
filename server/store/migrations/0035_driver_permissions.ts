import { type Kysely, sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * Until now, whoever saw a device could talk to its driver and send texts, as everybody can still turn its cameras. So everybody keeps
 * both: every role, and every member with a list of their own. Administrators take away what is too much.
 */
export const driverPermissions: Migration = {
  version: 35,
  name: 'permissions to talk to drivers and to send them texts',
  async up(db) {
    const roles = await sql<Holder>`select id, permissions from role`.execute(db);
    for (const role of roles.rows) {
      // Another version: a form that was opened before would take them away again unseen.
      await sql`update role set permissions = ${granted(role)}, version = version + 1 where id = ${role.id}`.execute(
        db,
      );
    }
    await grantToMembers(db);
  },
};

interface Holder {
  readonly id: number;
  readonly permissions: string;
}

/** Nobody reads the list of a member who has a role. */
async function grantToMembers(db: Kysely<unknown>): Promise<void> {
  const members = await sql<Holder>`select id, permissions from app_user where role is null`.execute(db);
  for (const member of members.rows) {
    await sql`update app_user set permissions = ${granted(member)} where id = ${member.id}`.execute(db);
  }
}

function granted({ permissions }: Holder): string {
  const held = JSON.parse(permissions) as readonly string[];
  return JSON.stringify([...new Set([...held, 'talk', 'devicetext'])]);
}

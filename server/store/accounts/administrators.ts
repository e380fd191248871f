// Somebody must be left who may do everything: what one may not do oneself, one cannot give to others.
import type { Transaction } from 'kysely';
import { ALL_PERMISSIONS } from '../../../shared/protocol/permissions.ts';
import type { StoreDb } from '../engine/database.ts';
import type { Schema } from '../schema.ts';

interface Refused {
  readonly ok: false;
  readonly reason: 'last-administrator';
}

class NobodyLeft extends Error {}

/**
 * Makes the change in a transaction, and takes it back when nobody is left after it who holds every permission, has a
 * password, is not disabled and never expires. Where there was nobody before, nothing is kept.
 */
export async function keepingAdministrator<Result extends { readonly ok: boolean }>(
  db: StoreDb,
  change: (transaction: Transaction<Schema>) => Promise<Result>,
): Promise<Result | Refused> {
  try {
    return await db.transaction().execute(async (transaction) => {
      await takeTurn(transaction);
      const wasThere = await hasAdministrator(transaction);
      const result = await change(transaction);
      if (result.ok && wasThere && !(await hasAdministrator(transaction))) throw new NobodyLeft();
      return result;
    });
  } catch (error) {
    if (error instanceof NobodyLeft) return { ok: false, reason: 'last-administrator' };
    throw error;
  }
}

/**
 * Lets one change of accounts after another decide by what it reads, such as two administrators who disable each other at
 * once: the row's lock lasts as long as the transaction.
 */
export async function takeTurn(transaction: Transaction<Schema>): Promise<void> {
  await transaction
    .updateTable('role')
    .set({ built_in: 'administrator' })
    .where('built_in', '=', 'administrator')
    .execute();
}

async function hasAdministrator(transaction: Transaction<Schema>): Promise<boolean> {
  const roles = await transaction.selectFrom('role').select(['id', 'built_in', 'permissions']).execute();
  const whole = roles.filter((role) => role.built_in === 'administrator' || holdsAll(role.permissions));
  const able = transaction
    .selectFrom('app_user')
    .select('permissions')
    .where('disabled', '=', 0)
    .where('expires_at_ms', '=', 0)
    .where('password_hash', '!=', '');
  const ids = whole.map(({ id }) => id);
  if (ids.length > 0 && (await able.where('role', 'in', ids).limit(1).executeTakeFirst()) !== undefined) return true;
  const byOwnList = await able.where('role', 'is', null).where('permissions', 'like', '%"system"%').execute();
  return byOwnList.some(({ permissions }) => holdsAll(permissions));
}

function holdsAll(list: string): boolean {
  const held = new Set(JSON.parse(list) as string[]);
  return ALL_PERMISSIONS.every((permission) => held.has(permission));
}

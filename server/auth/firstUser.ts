// The user that a new installation begins with.
import type { WallMs } from '../../shared/protocol/time.ts';
import type { RoleStore } from '../store/accounts/roles.ts';
import type { UserStore } from '../store/accounts/users.ts';
import type { AuditStore } from '../store/audit/audit.ts';
import { passwordFault } from './passwordRules.ts';
import type { Passwords } from './passwords.ts';
import { createSecret } from './secrets.ts';

export const FIRST_USER = 'admin';
const PASSWORD_LENGTH = 16;

export interface FirstUserDeps {
  readonly users: UserStore;
  readonly roles: Pick<RoleStore, 'findBuiltIn'>;
  readonly audit: AuditStore;
  readonly passwords: Passwords;
  readonly now: () => WallMs;
}

const COMMON_ADMIN_PASSWORD = 'ADMIN_PASSWORD takes a password that is not easy to guess; this one is on lists';

/**
 * Makes the administrator when there is no user at all. Throws when the configured password is a common one. Returns a
 * generated password, which the caller shows once.
 */
export async function ensureFirstUser(
  { users, roles, audit, passwords, now }: FirstUserDeps,
  configured: string | undefined,
): Promise<{ readonly username: string; readonly madeUpPassword: string | undefined } | undefined> {
  if ((await users.count()) > 0) return undefined;
  if (configured !== undefined && passwordFault(configured, FIRST_USER) !== undefined) {
    throw new Error(COMMON_ADMIN_PASSWORD);
  }
  const madeUpPassword = configured === undefined ? createSecret(PASSWORD_LENGTH) : undefined;
  const passwordHash = await passwords.hash(configured ?? madeUpPassword ?? '');
  const { id: role } = await roles.findBuiltIn('administrator');
  await users.insert({ username: FIRST_USER, passwordHash, permissions: [], role }, now());
  await audit.add({ actor: '', action: 'user.add', target: FIRST_USER, detail: { reason: 'first start' } }, now());
  return { username: FIRST_USER, madeUpPassword };
}

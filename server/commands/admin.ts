// `npm run admin -- ...`: what an administrator does on the machine itself, for the day nobody can sign in.
import type { WallMs } from '../../shared/protocol/time.ts';
import type { Passwords } from '../auth/passwords.ts';
import { createSecret } from '../auth/secrets.ts';
import type { Stores } from '../store/stores.ts';

export interface AdminDeps {
  readonly stores: Pick<Stores, 'users' | 'sessions' | 'audit'>;
  readonly passwords: Passwords;
  readonly now: () => WallMs;
}

export interface AdminCommand {
  readonly kind: 'reset-password';
  readonly name: string;
}

export interface AdminResult {
  readonly exitCode: 0 | 1;
  readonly text: string;
}

export const ADMIN_USAGE = 'Usage: npm run admin -- reset-password NAME';

const PASSWORD_LENGTH = 16;

/** Undefined where the words are no command. */
export function readAdminCommand([kind, name, ...rest]: readonly string[]): AdminCommand | undefined {
  if (kind !== 'reset-password' || name === undefined || rest.length > 0) return undefined;
  return { kind, name };
}

export async function runAdmin({ name }: AdminCommand, deps: AdminDeps): Promise<AdminResult> {
  return resetPassword(name, deps);
}

/** Gives the user a random password and ends all sessions. A disabled user stays disabled, which is said. */
async function resetPassword(name: string, { stores, passwords, now }: AdminDeps): Promise<AdminResult> {
  const user = await stores.users.findByName(name);
  if (user === undefined) return { exitCode: 1, text: `There is no user ${name}.` };
  const password = createSecret(PASSWORD_LENGTH);
  await stores.users.setPasswordHash(user.id, await passwords.hash(password), now());
  const ended = await stores.sessions.removeOfUser(user.id);
  await stores.audit.add({ actor: '', action: 'password.reset', target: user.username, detail: { ended } }, now());
  const note = user.disabled ? ' The account is disabled and stays so.' : '';
  return { exitCode: 0, text: `${user.username} now signs in with ${password}. Sessions ended: ${ended}.${note}` };
}

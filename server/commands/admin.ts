// `npm run admin -- ...`: what an administrator does on the machine itself, for the day nobody can sign in.
import type { WallMs } from '../../shared/protocol/time.ts';
import type { Passwords } from '../auth/passwords.ts';
import { createSecret } from '../auth/secrets.ts';
import type { Stores } from '../store/stores.ts';
import { type BackupCommand, RESTORE_USAGE } from './backupCommand.ts';

type UsedStore = 'users' | 'sessions' | 'signInSteps' | 'knownBrowsers' | 'invitations' | 'secondFactors' | 'audit';

export interface AdminDeps {
  readonly stores: Pick<Stores, UsedStore>;
  readonly passwords: Passwords;
  readonly now: () => WallMs;
}

export interface AdminCommand {
  readonly kind: 'reset-password' | 'reset-second-factor';
  readonly name: string;
}

export interface AdminResult {
  readonly exitCode: 0 | 1;
  readonly text: string;
}

export const ADMIN_USAGE = `Usage: npm run admin -- reset-password NAME | reset-second-factor NAME | backup FILE | ${RESTORE_USAGE} | verify FILE`;

const PASSWORD_LENGTH = 16;

/** Undefined where the words are no command. */
export function readAdminCommand([kind, name, ...rest]: readonly string[]): AdminCommand | BackupCommand | undefined {
  if (name === undefined || rest.length > 0) return undefined;
  if (kind === 'backup' || kind === 'verify') return { kind, file: name };
  return kind === 'reset-password' || kind === 'reset-second-factor' ? { kind, name } : undefined;
}

export async function runAdmin({ kind, name }: AdminCommand, deps: AdminDeps): Promise<AdminResult> {
  switch (kind) {
    case 'reset-password':
      return resetPassword(name, deps);
    case 'reset-second-factor':
      return resetSecondFactor(name, deps);
  }
}

/** Gives the user a random password and ends all sessions. A disabled user stays disabled, which is said. */
async function resetPassword(name: string, { stores, passwords, now }: AdminDeps): Promise<AdminResult> {
  const user = await stores.users.findByName(name);
  if (user === undefined) return { exitCode: 1, text: `There is no user ${name}.` };
  const password = createSecret(PASSWORD_LENGTH);
  await stores.users.setPasswordHash(user.id, await passwords.hash(password), now());
  const ended = await endAccess(user.id, stores);
  await stores.audit.add({ actor: '', action: 'password.reset', target: user.username, detail: { ended } }, now());
  const note = user.disabled ? ' The account is disabled and stays so.' : '';
  return { exitCode: 0, text: `${user.username} now signs in with ${password}. Sessions ended: ${ended}.${note}` };
}

/** For a lost phone when nobody else can help: the password alone opens the account again. */
async function resetSecondFactor(name: string, { stores, now }: AdminDeps): Promise<AdminResult> {
  const user = await stores.users.findByName(name);
  if (user === undefined) return { exitCode: 1, text: `There is no user ${name}.` };
  const wasThere = await stores.secondFactors.remove(user.id);
  const ended = await endAccess(user.id, stores);
  await stores.audit.add({ actor: '', action: 'secondfactor.reset', target: user.username, detail: { ended } }, now());
  const done = wasThere ? 'The second factor is gone.' : 'There was no second factor.';
  return { exitCode: 0, text: `${user.username}: ${done} Sessions ended: ${ended}.` };
}

/** Ends everything by which somebody may be in or half way in. Gives how many sessions there were. */
async function endAccess(userId: number, stores: AdminDeps['stores']): Promise<number> {
  await stores.invitations.removeOfUser(userId);
  await stores.signInSteps.removeOfUser(userId);
  await stores.knownBrowsers.removeOfUser(userId);
  return stores.sessions.removeOfUser(userId);
}

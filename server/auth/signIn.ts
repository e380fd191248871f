// Signing in and changing a password: what is checked, in which order, and what is written down of it.
import type { WallMs } from '../../shared/protocol/time.ts';
import type { AuditStore } from '../store/audit.ts';
import type { Session } from '../store/sessions.ts';
import { type User, type UserStore, userNameKey } from '../store/users.ts';
import type { Passwords } from './passwords.ts';
import type { Sessions, SignedIn, Visitor } from './sessions.ts';
import type { SignInThrottle } from './signInThrottle.ts';

export interface SignInRequest {
  readonly username: string;
  readonly password: string;
  readonly wallMonitor: boolean;
  readonly visitor: Visitor;
  /** The session that the same browser had: it ends, so that an id never outlives a sign-in. */
  readonly previous: Session | undefined;
}

export interface NewSession {
  readonly id: string;
  readonly session: Session;
  readonly user: User;
}

export type SignInAnswer =
  | ({ readonly ok: true } & NewSession)
  | { readonly ok: false; readonly why: 'bad-credentials' }
  | { readonly ok: false; readonly why: 'slow-down'; readonly retryAfterMs: number };

export interface PasswordChange {
  readonly caller: SignedIn;
  readonly password: string;
  readonly newPassword: string;
  readonly visitor: Visitor;
}

export interface SignIn {
  signIn(request: SignInRequest): Promise<SignInAnswer>;
  /** Ends all sessions of the user, the caller's too, and begins a new one for the caller. */
  changePassword(change: PasswordChange): Promise<SignInAnswer>;
}

export interface SignInDeps {
  readonly users: UserStore;
  readonly audit: AuditStore;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly throttle: SignInThrottle;
  readonly now: () => WallMs;
}

export function createSignIn(deps: SignInDeps): SignIn {
  return {
    signIn: (request) => signIn(deps, request),
    changePassword: (change) => changePassword(deps, change),
  };
}

async function signIn(deps: SignInDeps, request: SignInRequest): Promise<SignInAnswer> {
  const { username, visitor } = request;
  const attempt = { account: userNameKey(username), address: visitor.address };
  const tried = await deps.throttle.attempt(attempt, async () => {
    // The same steps for a name that does not exist, a wrong password and a disabled user, so that none stands out.
    const user = await deps.users.findByName(username);
    const matches = await deps.passwords.matches(user?.passwordHash, request.password);
    const right = matches && user !== undefined && !user.disabled;
    const action = right ? 'session.begin' : 'session.refused';
    await deps.audit.add({ actor: username, action, address: visitor.address }, deps.now());
    return { right, user };
  });
  if (!tried.ok) return { ok: false, why: 'slow-down', retryAfterMs: tried.retryAfterMs };
  const { right, user } = tried.value;
  if (!right || user === undefined) return { ok: false, why: 'bad-credentials' };
  if (request.previous !== undefined) await deps.sessions.end(request.previous);
  const begun = await deps.sessions.begin(user, visitor, request.wallMonitor);
  return { ok: true, user, ...begun };
}

// Throttled like a sign-in: whoever finds an open browser must not guess the password faster here than there.
async function changePassword(deps: SignInDeps, change: PasswordChange): Promise<SignInAnswer> {
  const { caller, visitor } = change;
  const { user, session } = caller;
  const attempt = { account: userNameKey(user.username), address: visitor.address };
  const tried = await deps.throttle.attempt(attempt, async () => {
    const right = await deps.passwords.matches(user.passwordHash, change.password);
    const action = right ? 'password.change' : 'password.refused';
    const entry = { actor: user.username, action, target: user.username, address: visitor.address };
    await deps.audit.add(entry, deps.now());
    return { right };
  });
  if (!tried.ok) return { ok: false, why: 'slow-down', retryAfterMs: tried.retryAfterMs };
  if (!tried.value.right) return { ok: false, why: 'bad-credentials' };
  await deps.users.setPasswordHash(user.id, await deps.passwords.hash(change.newPassword), deps.now());
  await deps.sessions.endAllOf(user.id);
  const begun = await deps.sessions.begin(user, visitor, session.wallMonitor);
  return { ok: true, user, ...begun };
}

// Changes of a user's own password and second factor. Being signed in isn't enough for these, because the browser may have
// been left open.
import { type UserStore, userNameKey } from '../store/accounts/users.ts';
import type { KnownBrowsers } from './knownBrowsers.ts';
import { type PasswordFault, passwordFault } from './passwordRules.ts';
import type { EnrolAnswer } from './secondFactors.ts';
import type { ClientInfo, SignedIn } from './sessions.ts';
import { type NewSession, noteCode, type SignInDeps, type SlowDown } from './signIn.ts';

/** Who asks, and from where. */
interface OwnRequest {
  readonly caller: SignedIn;
  readonly client: ClientInfo;
  /** The secret of the browser's cookie, if it has one. */
  readonly browser: string | undefined;
}

interface PasswordCheck extends OwnRequest {
  readonly password: string;
}

/** `code` is one of the current second factor, or a recovery code; ignored for users without a second factor. */
interface OwnProof extends PasswordCheck {
  readonly code: string | undefined;
}

interface OwnConfirmation extends OwnRequest {
  readonly code: string;
}

interface PasswordChange extends PasswordCheck {
  readonly newPassword: string;
  /** False for a framed page, which has no cookie for a new session. */
  readonly keepsSession: boolean;
}

export type PasswordAnswer =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: 'bad-credentials' }
  | SlowDown;

export type ProofAnswer = PasswordAnswer | { readonly ok: false; readonly reason: 'code-required' | 'wrong-code' };

type PasswordChangeAnswer =
  | { readonly ok: true; readonly begun: NewSession | undefined }
  | { readonly ok: false; readonly reason: PasswordFault }
  | Extract<PasswordAnswer, { ok: false }>;

export interface OwnAccess {
  /** Checked before the second factor is replaced or removed: the password, and a code of the current second factor. */
  prove(proof: OwnProof): Promise<ProofAnswer>;
  /** Confirms a second factor whose setup was begun. */
  confirm(confirmation: OwnConfirmation): Promise<EnrolAnswer | SlowDown>;
  /** Ends all sessions of the user, the caller's too, and begins a new one for the caller. */
  changePassword(change: PasswordChange): Promise<PasswordChangeAnswer>;
}

export interface OwnAccessDeps extends Omit<SignInDeps, 'users' | 'signInSteps' | 'secondFactorForAll'> {
  readonly users: Pick<UserStore, 'setPasswordHash'>;
  readonly browsers: KnownBrowsers;
}

export function createOwnAccess(deps: OwnAccessDeps): OwnAccess {
  return {
    prove: async (proof) => {
      const checked = await checkPassword(deps, proof);
      return checked.ok ? checkCode(deps, proof) : checked;
    },
    confirm: (confirmation) => confirm(deps, confirmation),
    changePassword: (change) => changePassword(deps, change),
  };
}

/** Attempts of a session have a lane of their own: nobody else delays them, and guessing is no faster than at sign-in. */
function attemptOf({ caller, client }: OwnRequest, what: 'password' | 'code' | 'set-up') {
  const account = `${what} of ${userNameKey(caller.user.username)}`;
  return { account, address: client.address, lane: `session ${caller.session.idHash}` };
}

async function checkPassword(deps: OwnAccessDeps, check: PasswordCheck): Promise<PasswordAnswer> {
  const { caller, password, client } = check;
  const { user } = caller;
  const tried = await deps.throttle.attempt(attemptOf(check, 'password'), async () => {
    const right = await deps.passwords.matches(user.passwordHash || undefined, password);
    const entry = { actor: user.username, target: user.username, address: client.address };
    if (!right) await deps.audit.add({ ...entry, action: 'password.refused' }, deps.now());
    return { right };
  });
  if (!tried.ok) return { ok: false, reason: 'slow-down', retryAfterMs: tried.retryAfterMs };
  return tried.value.right ? { ok: true } : { ok: false, reason: 'bad-credentials' };
}

async function checkCode(deps: OwnAccessDeps, proof: OwnProof): Promise<ProofAnswer> {
  const { caller, client, code } = proof;
  const { user } = caller;
  if (!(await deps.secondFactors.isEnrolled(user.id))) return { ok: true };
  if (code === undefined) return { ok: false, reason: 'code-required' };
  const browser = await deps.browsers.recognise(proof.browser, user.id);
  const tried = await deps.throttle.attempt(attemptOf(proof, 'code'), async () => {
    const answer = await deps.secondFactors.check(user, code, browser);
    return { right: answer.ok, answer };
  });
  if (!tried.ok) return { ok: false, reason: 'slow-down', retryAfterMs: tried.retryAfterMs };
  const { answer } = tried.value;
  await noteCode(deps, user, { answer, client });
  return answer.ok ? { ok: true } : answer;
}

async function confirm(deps: OwnAccessDeps, confirmation: OwnConfirmation): Promise<EnrolAnswer | SlowDown> {
  const tried = await deps.throttle.attempt(attemptOf(confirmation, 'set-up'), async () => {
    const answer = await deps.secondFactors.confirm(confirmation.caller.user, confirmation.code);
    return { right: answer.ok, answer };
  });
  return tried.ok ? tried.value.answer : { ok: false, reason: 'slow-down', retryAfterMs: tried.retryAfterMs };
}

async function changePassword(deps: OwnAccessDeps, change: PasswordChange): Promise<PasswordChangeAnswer> {
  const { caller, client, newPassword } = change;
  const { user, session } = caller;
  const fault = passwordFault(newPassword, user.username);
  if (fault !== undefined) return { ok: false, reason: fault };
  const checked = await checkPassword(deps, change);
  if (!checked.ok) return checked;
  await deps.users.setPasswordHash(user.id, await deps.passwords.hash(newPassword), deps.now());
  const { username } = user;
  await deps.audit.add(
    { actor: username, action: 'password.change', target: username, address: client.address },
    deps.now(),
  );
  await deps.sessions.endAllOf(user.id);
  if (!change.keepsSession) return { ok: true, begun: undefined };
  const begun = await deps.sessions.begin(user, client, session.wallMonitor);
  return { ok: true, begun: { user, ...begun, browser: await deps.browsers.remember(change.browser, user.id) } };
}

// Signing in: what is checked, in which order, and what is written down of it.
import type { TotpEnrolment } from '../../shared/protocol/api/signIn.ts';
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import type { OnLimit } from '../limits/limit.ts';
import type { Session } from '../store/accounts/sessions.ts';
import { SIGN_IN_STEPS_LIMIT, type SignInStepStore } from '../store/accounts/signInSteps.ts';
import { type User, type UserStore, userNameKey } from '../store/accounts/users.ts';
import type { AuditStore } from '../store/audit/audit.ts';
import { isActive } from './activeUser.ts';
import type { KnownBrowsers } from './knownBrowsers.ts';
import type { Passwords } from './passwords.ts';
import type { CodeAnswer, SecondFactors } from './secondFactors.ts';
import { createSecret, hashSecret } from './secrets.ts';
import type { ClientInfo, Sessions } from './sessions.ts';
import type { SignInThrottle } from './signInThrottle.ts';

/** Who asks to be let in. */
export interface Arrival {
  readonly client: ClientInfo;
  /** The session that the same browser had: it ends, so that an id never outlives a sign-in. */
  readonly previous: Session | undefined;
  /** Cookie secret of a browser that may have signed in before; see knownBrowsers.ts. */
  readonly browser: string | undefined;
}

interface SignInRequest extends Arrival {
  readonly username: string;
  readonly password: string;
  readonly wallMonitor: boolean;
}

export interface NewSession {
  readonly id: string;
  readonly session: Session;
  readonly user: User;
  /** The browser's new cookie secret. */
  readonly browser: string;
}

export interface SlowDown {
  readonly ok: false;
  readonly reason: 'slow-down';
  readonly retryAfterMs: number;
}

export type SignInAnswer =
  | ({ readonly ok: true } & NewSession)
  | { readonly ok: false; readonly reason: 'bad-credentials' }
  /** The password was right. `code`: the second factor is asked for; `enrol`: it has to be set up first. */
  | { readonly ok: false; readonly reason: 'code' | 'enrol'; readonly ticket: string }
  | SlowDown;

export interface SecondStep extends Arrival {
  readonly ticket: string;
  readonly code: string;
}

export type SecondStepAnswer =
  | ({ readonly ok: true; readonly recoveryCodes?: readonly string[] } & NewSession)
  | { readonly ok: false; readonly reason: 'wrong-code' | 'ticket-ended' }
  | SlowDown;

export interface SignIn {
  signIn(request: SignInRequest): Promise<SignInAnswer>;
  /** The second factor after the password, by the ticket that the password gave. */
  giveCode(step: SecondStep): Promise<SecondStepAnswer>;
  /** Starts two-factor setup for a user who must have it and doesn't. Undefined if the ticket isn't valid. */
  beginEnrolment(ticket: string, issuer: string): Promise<TotpEnrolment | undefined>;
  /** Proves it and signs in. */
  confirmEnrolment(step: SecondStep): Promise<SecondStepAnswer>;
}

export interface SignInDeps {
  readonly users: UserStore;
  readonly audit: AuditStore;
  readonly signInSteps: SignInStepStore;
  readonly sessions: Sessions;
  readonly browsers: KnownBrowsers;
  readonly secondFactors: SecondFactors;
  readonly passwords: Passwords;
  readonly throttle: Pick<SignInThrottle, 'attempt'>;
  /** Whether every user needs a second factor, whatever their role says. */
  readonly secondFactorForAll: () => Promise<boolean>;
  readonly now: () => WallMs;
  readonly onLimit: OnLimit;
}

/** Time for finding the phone, unlocking it and typing six digits, or for setting up an app. */
const TICKET_MS = 10 * 60_000;

export function createSignIn(deps: SignInDeps): SignIn {
  return {
    signIn: (request) => signIn(deps, request),
    giveCode: (step) => giveCode(deps, step),
    beginEnrolment: async (ticket, issuer) => {
      const found = await findStep(deps, ticket);
      if (found === undefined || (await deps.secondFactors.isEnrolled(found.user.id))) return undefined;
      return deps.secondFactors.begin(found.user, issuer);
    },
    confirmEnrolment: (step) => confirmEnrolment(deps, step),
  };
}

async function signIn(deps: SignInDeps, request: SignInRequest): Promise<SignInAnswer> {
  const { username, client } = request;
  const attempt = { account: userNameKey(username), address: client.address, lane: await laneOf(deps, request) };
  const tried = await deps.throttle.attempt(attempt, async () => {
    // An unknown name, a wrong password and a disabled user take the same steps, so that their timing is the same.
    const user = await deps.users.findByName(username);
    const matches = await deps.passwords.matches(user?.passwordHash || undefined, request.password);
    const right = matches && user !== undefined && isActive(user, deps.now());
    if (!right) await noteRefusal(deps, user, client);
    return { right, user };
  });
  if (!tried.ok) return { ok: false, reason: 'slow-down', retryAfterMs: tried.retryAfterMs };
  const { right, user } = tried.value;
  if (!right || user === undefined) return { ok: false, reason: 'bad-credentials' };
  const owed = await owedStep(deps, user);
  if (owed !== undefined)
    return { ok: false, reason: owed, ticket: await createTicket(deps, user, request.wallMonitor) };
  return { ok: true, ...(await letIn(deps, user, request)) };
}

/**
 * Looks the account up before the attempt's turn only if the browser has a cookie, so that unknown clients cause no query
 * yet.
 */
async function laneOf({ users, browsers }: SignInDeps, { username, browser }: SignInRequest) {
  if (browser === undefined) return undefined;
  return laneOfBrowser(await browsers.recognise(browser, (await users.findByName(username))?.id));
}

function laneOfBrowser(hash: string | undefined): string | undefined {
  return hash === undefined ? undefined : `browser ${hash}`;
}

/** An unknown name is not recorded: it may be a password that was typed into the wrong field. */
async function noteRefusal({ audit, now }: SignInDeps, user: User | undefined, { address }: ClientInfo): Promise<void> {
  const who = user === undefined ? { actor: '', detail: { userExists: false } } : { actor: user.username };
  await audit.add({ ...who, action: 'session.refused', address }, now());
}

async function owedStep(deps: SignInDeps, user: User): Promise<'code' | 'enrol' | undefined> {
  if (await deps.secondFactors.isEnrolled(user.id)) return 'code';
  return user.secondFactorRequired || (await deps.secondFactorForAll()) ? 'enrol' : undefined;
}

async function createTicket(
  { signInSteps, now, onLimit }: SignInDeps,
  user: User,
  wallMonitor: boolean,
): Promise<string> {
  const ticket = createSecret();
  const expiresAtMs = wallMs(now() + TICKET_MS);
  const step = { ticketHash: hashSecret(ticket), userId: user.id, wallMonitor, expiresAtMs };
  if ((await signInSteps.insert(step)) > 0) onLimit(SIGN_IN_STEPS_LIMIT);
  return ticket;
}

type Admitted = Arrival & Pick<SignInRequest, 'wallMonitor'>;

async function letIn(deps: SignInDeps, user: User, admitted: Admitted): Promise<NewSession> {
  const { client, previous, wallMonitor } = admitted;
  if (previous !== undefined) await deps.sessions.end(previous);
  await deps.users.noteSignIn(user.id, deps.now());
  await deps.audit.add({ actor: user.username, action: 'session.begin', address: client.address }, deps.now());
  const begun = await deps.sessions.begin(user, client, wallMonitor);
  return { user, ...begun, browser: await deps.browsers.remember(admitted.browser, user.id) };
}

async function findStep(deps: SignInDeps, ticket: string) {
  const step = await deps.signInSteps.find(hashSecret(ticket), deps.now());
  const user = step === undefined ? undefined : await deps.users.find(step.userId);
  if (step === undefined || user === undefined || !isActive(user, deps.now())) return undefined;
  return { user, wallMonitor: step.wallMonitor };
}

async function giveCode(deps: SignInDeps, step: SecondStep): Promise<SecondStepAnswer> {
  const { ticket, code, client } = step;
  const found = await findStep(deps, ticket);
  if (found === undefined) return { ok: false, reason: 'ticket-ended' };
  const { user, wallMonitor } = found;
  const browser = await deps.browsers.recognise(step.browser, user.id);
  // Counted separately from wrong passwords, because the correct password clears those.
  const account = `code of ${userNameKey(user.username)}`;
  const attempt = { account, address: client.address, lane: laneOfBrowser(browser) };
  const tried = await deps.throttle.attempt(attempt, async () => {
    const answer = await deps.secondFactors.check(user, code, browser);
    return { right: answer.ok, answer };
  });
  if (!tried.ok) return { ok: false, reason: 'slow-down', retryAfterMs: tried.retryAfterMs };
  await noteCode(deps, user, { answer: tried.value.answer, client });
  if (!tried.value.answer.ok) return tried.value.answer;
  if (!(await deps.signInSteps.remove(hashSecret(ticket)))) return { ok: false, reason: 'ticket-ended' };
  return { ok: true, ...(await letIn(deps, user, { ...step, wallMonitor })) };
}

interface GivenCode {
  readonly answer: CodeAnswer;
  readonly client: ClientInfo;
}

/** Records a wrong code, and the use of a recovery code. */
export async function noteCode(
  deps: Pick<SignInDeps, 'audit' | 'secondFactors' | 'now'>,
  user: User,
  { answer, client }: GivenCode,
): Promise<void> {
  const entry = { actor: user.username, target: user.username, address: client.address };
  if (!answer.ok) return deps.audit.add({ ...entry, action: 'secondfactor.refused' }, deps.now());
  if (answer.by === 'app') return;
  const left = await deps.secondFactors.recoveryCodesLeft(user.id);
  await deps.audit.add({ ...entry, action: 'secondfactor.recover', detail: { codesLeft: left } }, deps.now());
}

async function confirmEnrolment(deps: SignInDeps, step: SecondStep): Promise<SecondStepAnswer> {
  const { ticket, code, client } = step;
  const found = await findStep(deps, ticket);
  // A user who has enrolled meanwhile has to enter a code. The password alone must not replace the second factor.
  if (found === undefined || (await deps.secondFactors.isEnrolled(found.user.id)))
    return { ok: false, reason: 'ticket-ended' };
  const { user, wallMonitor } = found;
  const enrolled = await deps.secondFactors.confirm(user, code);
  if (!enrolled.ok) return enrolled;
  const { username } = user;
  await deps.audit.add(
    { actor: username, action: 'secondfactor.enrol', target: username, address: client.address },
    deps.now(),
  );
  if (!(await deps.signInSteps.remove(hashSecret(ticket)))) return { ok: false, reason: 'ticket-ended' };
  const begun = await letIn(deps, user, { ...step, wallMonitor });
  return { ok: true, ...begun, recoveryCodes: enrolled.recoveryCodes };
}

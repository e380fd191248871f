// Signing in and changing a password: what is checked, in which order, and what is written down of it.
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import type { AuditStore } from '../store/audit.ts';
import type { InvitationStore } from '../store/invitations.ts';
import type { Session } from '../store/sessions.ts';
import type { SignInStepStore } from '../store/signInSteps.ts';
import { type User, type UserStore, userNameKey } from '../store/users.ts';
import { isActive } from './activeUser.ts';
import type { Passwords } from './passwords.ts';
import type { Beginning, CodeAnswer, EnrolAnswer, SecondFactors } from './secondFactors.ts';
import { createSecret, hashSecret } from './secrets.ts';
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

interface SlowDown {
  readonly ok: false;
  readonly why: 'slow-down';
  readonly retryAfterMs: number;
}

export type SignInAnswer =
  | ({ readonly ok: true } & NewSession)
  | { readonly ok: false; readonly why: 'bad-credentials' }
  /** The password was right. `code`: the second factor is asked for; `enrol`: it has to be set up first. */
  | { readonly ok: false; readonly why: 'code' | 'enrol'; readonly ticket: string }
  | SlowDown;

export interface SecondStep {
  readonly ticket: string;
  readonly code: string;
  readonly visitor: Visitor;
  readonly previous: Session | undefined;
}

export type SecondStepAnswer =
  | ({ readonly ok: true; readonly recoveryCodes?: readonly string[] } & NewSession)
  | { readonly ok: false; readonly why: 'wrong-code' | 'ticket-ended' }
  | SlowDown;

export interface PasswordCheck {
  readonly caller: SignedIn;
  readonly password: string;
  readonly visitor: Visitor;
}

export interface OwnConfirmation {
  readonly caller: SignedIn;
  readonly code: string;
  readonly visitor: Visitor;
}

export type PasswordAnswer = { readonly ok: true } | { readonly ok: false; readonly why: 'bad-credentials' } | SlowDown;

export interface PasswordChange extends PasswordCheck {
  readonly newPassword: string;
}

export type PasswordChangeAnswer = ({ readonly ok: true } & NewSession) | Extract<PasswordAnswer, { ok: false }>;

export interface SignIn {
  signIn(request: SignInRequest): Promise<SignInAnswer>;
  /** The second factor after the password, by the ticket that the password gave. */
  giveCode(step: SecondStep): Promise<SecondStepAnswer>;
  /** For who must have a second factor and has none: a secret to enrol, or undefined for a ticket that is no good. */
  beginEnrolment(ticket: string, issuer: string): Promise<Beginning | undefined>;
  /** Proves it and signs in. */
  confirmEnrolment(step: SecondStep): Promise<SecondStepAnswer>;
  /** The same for who is signed in. */
  confirmOwn(confirmation: OwnConfirmation): Promise<EnrolAnswer | SlowDown>;
  /** Whether it is the password of who is signed in: before what an open browser alone must not do. */
  checkPassword(check: PasswordCheck): Promise<PasswordAnswer>;
  /** Ends all sessions of the user, the caller's too, and begins a new one for the caller. */
  changePassword(change: PasswordChange): Promise<PasswordChangeAnswer>;
}

export interface SignInDeps {
  readonly users: UserStore;
  readonly audit: AuditStore;
  readonly signInSteps: SignInStepStore;
  readonly invitations: Pick<InvitationStore, 'removeOfUser'>;
  readonly sessions: Sessions;
  readonly secondFactors: SecondFactors;
  readonly passwords: Passwords;
  readonly throttle: SignInThrottle;
  /** Whether nobody gets in without one, whatever the role says. */
  readonly secondFactorForAll: () => Promise<boolean>;
  readonly now: () => WallMs;
}

/** For finding the telephone, unlocking it and typing six digits, or for setting up an app. */
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
    confirmOwn: (confirmation) => confirmOwn(deps, confirmation),
    checkPassword: (check) => checkPassword(deps, check, 'password.check'),
    changePassword: (change) => changePassword(deps, change),
  };
}

async function signIn(deps: SignInDeps, request: SignInRequest): Promise<SignInAnswer> {
  const { username, visitor } = request;
  const attempt = { account: userNameKey(username), address: visitor.address };
  const tried = await deps.throttle.attempt(attempt, async () => {
    // The same steps for a name that does not exist, a wrong password and a disabled user, so that none stands out.
    const user = await deps.users.findByName(username);
    const matches = await deps.passwords.matches(user?.passwordHash || undefined, request.password);
    const right = matches && user !== undefined && isActive(user, deps.now());
    if (!right) await noteRefusal(deps, user, visitor);
    return { right, user };
  });
  if (!tried.ok) return { ok: false, why: 'slow-down', retryAfterMs: tried.retryAfterMs };
  const { right, user } = tried.value;
  if (!right || user === undefined) return { ok: false, why: 'bad-credentials' };
  const owed = await owedStep(deps, user);
  if (owed !== undefined) return { ok: false, why: owed, ticket: await createTicket(deps, user, request.wallMonitor) };
  return { ok: true, ...(await letIn(deps, user, request)) };
}

/** A name that nobody has is not written down: it may be a password that was typed into the wrong field. */
async function noteRefusal({ audit, now }: SignInDeps, user: User | undefined, { address }: Visitor): Promise<void> {
  const who = user === undefined ? { actor: '', detail: { userExists: false } } : { actor: user.username };
  await audit.add({ ...who, action: 'session.refused', address }, now());
}

async function owedStep(deps: SignInDeps, user: User): Promise<'code' | 'enrol' | undefined> {
  if (await deps.secondFactors.isEnrolled(user.id)) return 'code';
  return user.secondFactorRequired || (await deps.secondFactorForAll()) ? 'enrol' : undefined;
}

async function createTicket({ signInSteps, now }: SignInDeps, user: User, wallMonitor: boolean): Promise<string> {
  const ticket = createSecret();
  const expiresAtMs = wallMs(now() + TICKET_MS);
  await signInSteps.insert({ ticketHash: hashSecret(ticket), userId: user.id, wallMonitor, expiresAtMs });
  return ticket;
}

type Arrival = Pick<SignInRequest, 'visitor' | 'previous' | 'wallMonitor'>;

async function letIn(deps: SignInDeps, user: User, { visitor, previous, wallMonitor }: Arrival): Promise<NewSession> {
  if (previous !== undefined) await deps.sessions.end(previous);
  await deps.users.noteSignIn(user.id, deps.now());
  await deps.audit.add({ actor: user.username, action: 'session.begin', address: visitor.address }, deps.now());
  const begun = await deps.sessions.begin(user, visitor, wallMonitor);
  return { user, ...begun };
}

async function findStep(deps: SignInDeps, ticket: string) {
  const step = await deps.signInSteps.find(hashSecret(ticket), deps.now());
  const user = step === undefined ? undefined : await deps.users.find(step.userId);
  if (step === undefined || user === undefined || !isActive(user, deps.now())) return undefined;
  return { user, wallMonitor: step.wallMonitor };
}

async function giveCode(deps: SignInDeps, { ticket, code, visitor, previous }: SecondStep): Promise<SecondStepAnswer> {
  const found = await findStep(deps, ticket);
  if (found === undefined) return { ok: false, why: 'ticket-ended' };
  const { user, wallMonitor } = found;
  // Counted apart from the password's failures, which a right password forgives.
  const attempt = { account: `code of ${userNameKey(user.username)}`, address: visitor.address };
  const tried = await deps.throttle.attempt(attempt, async () => {
    const answer = await deps.secondFactors.check(user, code);
    return { right: answer.ok, answer };
  });
  if (!tried.ok) return { ok: false, why: 'slow-down', retryAfterMs: tried.retryAfterMs };
  await noteCode(deps, user, { answer: tried.value.answer, visitor });
  if (!tried.value.answer.ok) return tried.value.answer;
  if (!(await deps.signInSteps.remove(hashSecret(ticket)))) return { ok: false, why: 'ticket-ended' };
  return { ok: true, ...(await letIn(deps, user, { visitor, previous, wallMonitor })) };
}

interface GivenCode {
  readonly answer: CodeAnswer;
  readonly visitor: Visitor;
}

async function noteCode(deps: SignInDeps, user: User, { answer, visitor }: GivenCode): Promise<void> {
  const entry = { actor: user.username, target: user.username, address: visitor.address };
  if (!answer.ok) return deps.audit.add({ ...entry, action: 'secondfactor.refused' }, deps.now());
  if (answer.by === 'app') return;
  const left = await deps.secondFactors.recoveryCodesLeft(user.id);
  await deps.audit.add({ ...entry, action: 'secondfactor.recover', detail: { codesLeft: left } }, deps.now());
}

async function confirmEnrolment(
  deps: SignInDeps,
  { ticket, code, visitor, previous }: SecondStep,
): Promise<SecondStepAnswer> {
  const found = await findStep(deps, ticket);
  // Who has one by now owes its code, and must not put another in its place by the password alone.
  if (found === undefined || (await deps.secondFactors.isEnrolled(found.user.id)))
    return { ok: false, why: 'ticket-ended' };
  const { user, wallMonitor } = found;
  const enrolled = await deps.secondFactors.confirm(user, code);
  if (!enrolled.ok) return enrolled;
  const entry = { actor: user.username, action: 'secondfactor.enrol', target: user.username, address: visitor.address };
  await deps.audit.add(entry, deps.now());
  if (!(await deps.signInSteps.remove(hashSecret(ticket)))) return { ok: false, why: 'ticket-ended' };
  const begun = await letIn(deps, user, { visitor, previous, wallMonitor });
  return { ok: true, ...begun, recoveryCodes: enrolled.recoveryCodes };
}

// Slowed down like the password: a browser that was left open with a set-up half done must not tell the codes.
async function confirmOwn(
  deps: SignInDeps,
  { caller, code, visitor }: OwnConfirmation,
): Promise<EnrolAnswer | SlowDown> {
  const attempt = { account: `set-up of ${userNameKey(caller.user.username)}`, address: visitor.address };
  const tried = await deps.throttle.attempt(attempt, async () => {
    const answer = await deps.secondFactors.confirm(caller.user, code);
    return { right: answer.ok, answer };
  });
  return tried.ok ? tried.value.answer : { ok: false, why: 'slow-down', retryAfterMs: tried.retryAfterMs };
}

// Throttled like a sign-in: whoever finds an open browser must not guess the password faster here than there.
async function checkPassword(
  deps: SignInDeps,
  { caller, password, visitor }: PasswordCheck,
  action: 'password.check' | 'password.change',
): Promise<PasswordAnswer> {
  const { user } = caller;
  const attempt = { account: userNameKey(user.username), address: visitor.address };
  const tried = await deps.throttle.attempt(attempt, async () => {
    const right = await deps.passwords.matches(user.passwordHash || undefined, password);
    const noted = right ? action : 'password.refused';
    const entry = { actor: user.username, action: noted, target: user.username, address: visitor.address };
    if (noted !== 'password.check') await deps.audit.add(entry, deps.now());
    return { right };
  });
  if (!tried.ok) return { ok: false, why: 'slow-down', retryAfterMs: tried.retryAfterMs };
  return tried.value.right ? { ok: true } : { ok: false, why: 'bad-credentials' };
}

async function changePassword(deps: SignInDeps, change: PasswordChange): Promise<PasswordChangeAnswer> {
  const { caller, visitor } = change;
  const { user, session } = caller;
  const checked = await checkPassword(deps, change, 'password.change');
  if (!checked.ok) return checked;
  await deps.users.setPasswordHash(user.id, await deps.passwords.hash(change.newPassword), deps.now());
  // A link that is still about would set another one.
  await deps.invitations.removeOfUser(user.id);
  await deps.sessions.endAllOf(user.id);
  const begun = await deps.sessions.begin(user, visitor, session.wallMonitor);
  return { ok: true, user, ...begun };
}

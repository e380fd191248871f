import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { Type } from 'typebox';
import { MAX_PASSWORD_LENGTH } from '../../../shared/protocol/passwords.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { KnownBrowsers } from '../../auth/knownBrowsers.ts';
import type { OwnAccess } from '../../auth/ownAccess.ts';
import type { SecondFactors } from '../../auth/secondFactors.ts';
import type { SessionListStore } from '../../store/accounts/sessionList.ts';
import type { UserStore } from '../../store/accounts/users.ts';
import type { AuditStore } from '../../store/audit/audit.ts';
import { readBrowserCookie } from '../kernel/browserCookie.ts';
import { callerOf, clientInfoOf } from '../kernel/caller.ts';
import { EnvelopeOf, ErrorAnswers, ok, type Refusal, refuse, refusedFields } from '../kernel/envelope.ts';
import { content, isTimeZone } from './memberShape.ts';
import { refuseProof, refuseSecondStep } from './refusals.ts';
import { NO_SESSION, SessionAnswer, SessionId, showSession } from './sessionShape.ts';
import { Beginning, type Issuer } from './signInRoutes.ts';

export interface AccountDeps {
  readonly users: Pick<UserStore, 'setProfile'>;
  readonly sessionList: SessionListStore;
  readonly secondFactors: SecondFactors;
  readonly ownAccess: Pick<OwnAccess, 'prove' | 'confirm'>;
  readonly browsers: Pick<KnownBrowsers, 'forgetOthers'>;
  readonly audit: Pick<AuditStore, 'add'>;
  readonly secondFactorForAll: () => Promise<boolean>;
  readonly issuer: Issuer;
  readonly now: () => WallMs;
}

const closed = { additionalProperties: false } as const;
const { displayName, language, timeZone } = content;
const ProfileBody = Type.Object({ displayName, language, timeZone }, closed);
const Profile = Type.Object({
  username: Type.String(),
  displayName: Type.String(),
  language: Type.String(),
  timeZone: Type.String(),
});
const State = Type.Object({
  isEnrolled: Type.Boolean(),
  isRequired: Type.Boolean(),
  recoveryCodesLeft: Type.Integer(),
});
const Codes = Type.Object({ recoveryCodes: Type.Array(Type.String()) });
const GivenCode = Type.String({ minLength: 1, maxLength: 64 });
/** `code`: of the second factor that there is; left out where there is none. */
const Proof = Type.Object(
  { password: Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH }), code: Type.Optional(GivenCode) },
  closed,
);
const Code = Type.Object({ code: GivenCode }, closed);
const Nothing = Type.Object({});
const config = { access: { kind: 'signed-in' } } as const;

const WRONG_CODE = refusedFields({ code: 'wrong-code' });
const REQUIRED: Refusal = {
  status: 409,
  code: 'second-factor-required',
  message: 'Your account requires two-factor authentication.',
};
const MAX_OWN_SESSIONS = 100;

/** What users see and change of their own account, whatever else they may do. */
export async function registerAccount(app: FastifyInstance, deps: AccountDeps): Promise<void> {
  registerProfile(app, deps);
  registerOwnSessions(app, deps);
  registerSecondFactor(app, deps);
}

function answers<Data extends Type.TSchema>(data: Data) {
  return { 200: EnvelopeOf(data), ...ErrorAnswers };
}

type Facts = Readonly<Record<string, unknown>>;

interface Noted {
  readonly action: string;
  readonly detail?: Facts;
  readonly before?: Facts;
  readonly after?: Facts;
}

async function note(
  request: FastifyRequest,
  { audit, now }: AccountDeps,
  { action, detail = {}, before, after }: Noted,
): Promise<void> {
  const { username } = callerOf(request).user;
  await audit.add({ actor: username, action, target: username, address: request.ip, detail, before, after }, now());
}

function registerProfile(app: FastifyInstance, deps: AccountDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const path = '/api/user/profile';

  routes.get(
    path,
    { schema: { summary: "One's own names and settings", response: answers(Profile) }, config },
    (request) => {
      const { user } = callerOf(request);
      return ok({
        username: user.username,
        displayName: user.displayName,
        language: user.language,
        timeZone: user.timeZone,
      });
    },
  );

  routes.put(
    path,
    { schema: { summary: 'Changes them', body: ProfileBody, response: answers(Profile) }, config },
    async (request, reply) => {
      const { user } = callerOf(request);
      const { body } = request;
      if (!isTimeZone(body.timeZone)) return refuse(reply, refusedFields({ timeZone: 'unknown' }));
      const profile = { ...body, displayName: body.displayName.trim(), language: String(body.language) };
      await deps.users.setProfile(user.id, profile);
      const before = { displayName: user.displayName, language: user.language, timeZone: user.timeZone };
      await note(request, deps, { action: 'user.profile', before, after: profile });
      return ok({ username: user.username, ...profile });
    },
  );
}

function registerOwnSessions(app: FastifyInstance, deps: AccountDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const path = '/api/user/sessions';

  routes.get(
    path,
    { schema: { summary: "One's own open sessions", response: answers(Type.Array(SessionAnswer)) }, config },
    async (request) => {
      const { user, session } = callerOf(request);
      const order = { sort: 'lastSeenAtMs', descending: true, offset: 0, limit: MAX_OWN_SESSIONS } as const;
      const { rows } = await deps.sessionList.list({ ...order, userId: user.id, at: deps.now() });
      return ok(rows.map((row) => showSession(row, { current: session.idHash, mayEnd: true })));
    },
  );

  routes.delete(
    `${path}/:id`,
    { schema: { summary: 'Ends one of them', params: SessionId, response: answers(Nothing) }, config },
    async (request, reply) => {
      const session = await deps.sessionList.findByHandle(request.params.id);
      if (session?.userId !== callerOf(request).user.id) return refuse(reply, NO_SESSION);
      await deps.sessionList.removeByHandle(session.handle);
      const { address, userAgent } = session;
      await note(request, deps, { action: 'session.revoke', detail: { address, userAgent } });
      return ok({});
    },
  );

  routes.delete(
    path,
    { schema: { summary: 'Ends all but this one', response: answers(Type.Object({ ended: Type.Integer() })) }, config },
    async (request) => {
      const { user, session } = callerOf(request);
      const ended = await deps.sessionList.removeOthers(user.id, session.idHash);
      await deps.browsers.forgetOthers(readBrowserCookie(request), user.id);
      await note(request, deps, { action: 'session.endall', detail: { ended } });
      return ok({ ended });
    },
  );
}

function registerSecondFactor(app: FastifyInstance, deps: AccountDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const path = '/api/user/secondfactor';
  const { secondFactors } = deps;
  const isRequired = async (request: FastifyRequest): Promise<boolean> =>
    callerOf(request).user.secondFactorRequired || (await deps.secondFactorForAll());

  routes.get(
    path,
    { schema: { summary: "One's own second factor", response: answers(State) }, config },
    async (request) => {
      const { id } = callerOf(request).user;
      const recoveryCodesLeft = await secondFactors.recoveryCodesLeft(id);
      return ok({
        isEnrolled: await secondFactors.isEnrolled(id),
        isRequired: await isRequired(request),
        recoveryCodesLeft,
      });
    },
  );

  // With the password: an open browser that somebody else finds must not be enough to lock its owner out. With a code where
  // there is a second factor: a stolen password must not be enough to put another in its place.
  routes.post(
    path,
    { schema: { summary: 'Begins one', body: Proof, response: answers(Beginning) }, config },
    async (request, reply) => {
      const proven = await deps.ownAccess.prove(proofOf(request));
      if (!proven.ok) return refuseProof(reply, proven);
      return ok({ ...(await secondFactors.begin(callerOf(request).user, await deps.issuer())) });
    },
  );

  routes.post(
    `${path}/confirm`,
    { schema: { summary: 'Proves it by a code', body: Code, response: answers(Codes) }, config },
    async (request, reply) => {
      const enrolled = await deps.ownAccess.confirm({ ...ownRequestOf(request), code: request.body.code });
      if (!enrolled.ok)
        return enrolled.reason === 'slow-down' ? refuseSecondStep(reply, enrolled) : refuse(reply, WRONG_CODE);
      await note(request, deps, { action: 'secondfactor.enrol' });
      return ok({ recoveryCodes: [...enrolled.recoveryCodes] });
    },
  );

  routes.post(
    `${path}/remove`,
    { schema: { summary: 'Takes it away', body: Proof, response: answers(Nothing) }, config },
    async (request, reply) => {
      if (await isRequired(request)) return refuse(reply, REQUIRED);
      const proven = await deps.ownAccess.prove(proofOf(request));
      if (!proven.ok) return refuseProof(reply, proven);
      const { id } = callerOf(request).user;
      if (await secondFactors.remove(id)) await note(request, deps, { action: 'secondfactor.remove' });
      return ok({});
    },
  );
}

function ownRequestOf(request: FastifyRequest) {
  return { caller: callerOf(request), client: clientInfoOf(request), browser: readBrowserCookie(request) };
}

type ProofRequest = FastifyRequest & { readonly body: Static<typeof Proof> };

function proofOf(request: ProofRequest) {
  const { password, code } = request.body;
  return { ...ownRequestOf(request), password, code };
}

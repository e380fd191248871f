import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../shared/protocol/passwords.ts';
import type { OwnAccess } from '../../auth/ownAccess.ts';
import type { Sessions } from '../../auth/sessions.ts';
import type { Arrival, NewSession, SecondStep, SecondStepAnswer, SignIn } from '../../auth/signIn.ts';
import { readBrowserCookie, setBrowserCookie } from '../kernel/browserCookie.ts';
import { callerOf, clientInfoOf } from '../kernel/caller.ts';
import { commonPassword, EnvelopeOf, ErrorAnswers, ok, refuse } from '../kernel/envelope.ts';
import { ShortText } from '../kernel/fields.ts';
import { readSessionCookie, setSessionCookie } from '../kernel/sessionCookie.ts';
import { refusePasswordChange, refuseSecondStep, refuseSignIn, TICKET_ENDED } from './refusals.ts';

const Login = Type.Object({
  login: Type.Boolean(),
  language: Type.Optional(Type.String()),
  /** What is still owed: a code of the second factor, or setting one up. */
  step: Type.Optional(Type.Union([Type.Literal('code'), Type.Literal('enrol')])),
  /** For the calls of that step. */
  ticket: Type.Optional(Type.String()),
  /** Shown once, when a second factor was set up on the way in. */
  recoveryCodes: Type.Optional(Type.Array(Type.String())),
});

const SignInBody = Type.Object(
  {
    username: ShortText,
    password: Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH }),
    /** Asks for the long session of a wall monitor; given only to members who may have it. */
    wallMonitor: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

const PasswordBody = Type.Object(
  {
    password: Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH }),
    newPassword: Type.String({ minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH }),
  },
  { additionalProperties: false },
);

const closed = { additionalProperties: false } as const;
const Ticket = Type.String({ pattern: '^[A-Za-z\\d]{27}$' });
const TicketBody = Type.Object({ ticket: Ticket }, closed);
const CodeBody = Type.Object({ ticket: Ticket, code: Type.String({ minLength: 1, maxLength: 64 }) }, closed);
export const Beginning = Type.Object({ secret: Type.String(), address: Type.String() });

/** What is written above the code in an authenticator app. */
export type Issuer = () => Promise<string>;

/** `POST /api/user/login` with its second step, and `POST /api/user/password`. */
export async function registerSignIn(app: FastifyInstance, deps: SignInRoutesDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { signIn, ownAccess, sessions } = deps;
  const response = { 200: EnvelopeOf(Login), ...ErrorAnswers };

  routes.post(
    '/api/user/login',
    {
      schema: { summary: 'Signs in; the session comes back as a cookie', body: SignInBody, response },
      config: { access: { kind: 'public' } },
    },
    async (request, reply) => {
      const { username, password, wallMonitor = false } = request.body;
      const attempt = { username, password, wallMonitor, ...(await arrivalOf(request, sessions)) };
      const answer = await signIn.signIn(attempt);
      if (answer.ok) return ok(sendSession(reply, answer));
      if ('ticket' in answer) {
        return ok({ login: false, step: answer.reason, ticket: answer.ticket });
      }
      return refuseSignIn(reply, answer);
    },
  );

  registerSecondStep(app, deps);

  routes.post(
    '/api/user/password',
    {
      schema: { summary: "Changes one's own password; ends all sessions", body: PasswordBody, response },
      config: { access: { kind: 'signed-in' } },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      // A framed page without cookies signs in again: its token must not turn into a cookie.
      const keepsSession = caller.by === 'cookie';
      const attempt = { caller, client: clientInfoOf(request), browser: readBrowserCookie(request), keepsSession };
      const answer = await ownAccess.changePassword({ ...request.body, ...attempt });
      if (!answer.ok && answer.reason === 'common-password') return refuse(reply, commonPassword('newPassword'));
      if (!answer.ok) return refusePasswordChange(reply, answer);
      if (answer.begun !== undefined) setCookies(reply, answer.begun);
      return ok({ login: answer.begun !== undefined });
    },
  );
}

export interface SignInRoutesDeps {
  readonly signIn: SignIn;
  readonly ownAccess: Pick<OwnAccess, 'changePassword'>;
  readonly sessions: Sessions;
  readonly issuer: Issuer;
}

function registerSecondStep(app: FastifyInstance, { signIn, sessions, issuer }: SignInRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = { access: { kind: 'public' } } as const;
  const response = { 200: EnvelopeOf(Login), ...ErrorAnswers };
  const finish = async (
    request: FastifyRequest & { readonly body: { readonly ticket: string; readonly code: string } },
    reply: FastifyReply,
    step: (step: SecondStep) => Promise<SecondStepAnswer>,
  ) => {
    const answer = await step({ ...request.body, ...(await arrivalOf(request, sessions)) });
    if (!answer.ok) return refuseSecondStep(reply, answer);
    const { recoveryCodes } = answer;
    const codes = recoveryCodes === undefined ? {} : { recoveryCodes: [...recoveryCodes] };
    return ok({ ...sendSession(reply, answer), ...codes });
  };

  routes.post(
    '/api/user/login/code',
    { schema: { summary: 'The second factor, after the password', body: CodeBody, response }, config },
    (request, reply) => finish(request, reply, signIn.giveCode),
  );

  const begun = { 200: EnvelopeOf(Beginning), ...ErrorAnswers };
  routes.post(
    '/api/user/login/enrol',
    { schema: { summary: 'Begins a second factor that is required', body: TicketBody, response: begun }, config },
    async (request, reply) => {
      const beginning = await signIn.beginEnrolment(request.body.ticket, await issuer());
      return beginning === undefined ? refuse(reply, TICKET_ENDED) : ok({ ...beginning });
    },
  );

  routes.post(
    '/api/user/login/confirm',
    { schema: { summary: 'Proves it by a code and signs in', body: CodeBody, response }, config },
    (request, reply) => finish(request, reply, signIn.confirmEnrolment),
  );
}

async function arrivalOf(request: FastifyRequest, sessions: Sessions): Promise<Arrival> {
  const previous = await sessions.find(readSessionCookie(request) ?? '');
  return { client: clientInfoOf(request), previous: previous?.session, browser: readBrowserCookie(request) };
}

function sendSession(reply: FastifyReply, begun: NewSession) {
  setCookies(reply, begun);
  return { login: true, language: begun.user.language };
}

function setCookies(reply: FastifyReply, { id, session, browser }: NewSession): void {
  setSessionCookie(reply, id, session.wallMonitor);
  setBrowserCookie(reply, browser);
}

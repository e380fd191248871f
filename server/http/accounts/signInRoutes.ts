import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  PasswordChangeBody,
  SignInAnswer,
  SignInBody,
  TicketBody,
  TicketCodeBody,
  TotpEnrolment,
} from '../../../shared/protocol/api/signIn.ts';
import type { OwnAccess } from '../../auth/ownAccess.ts';
import type { Sessions } from '../../auth/sessions.ts';
import type { Arrival, NewSession, SecondStep, SecondStepAnswer, SignIn } from '../../auth/signIn.ts';
import { answers } from '../kernel/answers.ts';
import { readBrowserCookie, setBrowserCookie } from '../kernel/browserCookie.ts';
import { callerOf, clientInfoOf } from '../kernel/caller.ts';
import { commonPassword, ok, refuse } from '../kernel/envelope.ts';
import { readSessionCookie, setSessionCookie } from '../kernel/sessionCookie.ts';
import { refusePasswordChange, refuseSecondStep, refuseSignIn, TICKET_ENDED } from './refusals.ts';

/** What is written above the code in an authenticator app. */
export type Issuer = () => Promise<string>;

/** `POST /api/user/login` with its second step, and `POST /api/user/password`. */
export async function registerSignIn(app: FastifyInstance, deps: SignInRoutesDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const { signIn, ownAccess, sessions } = deps;
  const response = answers(SignInAnswer);

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
      schema: { summary: "Changes one's own password; ends all sessions", body: PasswordChangeBody, response },
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
  const response = answers(SignInAnswer);
  const finish = async (
    request: FastifyRequest & { readonly body: { readonly ticket: string; readonly code: string } },
    reply: FastifyReply,
    step: (step: SecondStep) => Promise<SecondStepAnswer>,
  ) => {
    const answer = await step({ ...request.body, ...(await arrivalOf(request, sessions)) });
    if (!answer.ok) return refuseSecondStep(reply, answer);
    const { recoveryCodes } = answer;
    return ok({ ...sendSession(reply, answer), ...(recoveryCodes === undefined ? {} : { recoveryCodes }) });
  };

  routes.post(
    '/api/user/login/code',
    { schema: { summary: 'The second factor, after the password', body: TicketCodeBody, response }, config },
    (request, reply) => finish(request, reply, signIn.giveCode),
  );

  const summary = 'Begins a second factor that is required';
  const beginning = { summary, body: TicketBody, response: answers(TotpEnrolment) };
  routes.post('/api/user/login/enrol', { schema: beginning, config }, async (request, reply) => {
    const begun = await signIn.beginEnrolment(request.body.ticket, await issuer());
    return begun === undefined ? refuse(reply, TICKET_ENDED) : ok(begun);
  });

  routes.post(
    '/api/user/login/confirm',
    { schema: { summary: 'Proves it by a code and signs in', body: TicketCodeBody, response }, config },
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

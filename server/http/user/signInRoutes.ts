import { Type, type TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../shared/protocol/passwords.ts';
import type { Sessions } from '../../auth/sessions.ts';
import type { SignIn } from '../../auth/signIn.ts';
import { callerOf, visitorOf } from '../caller.ts';
import { EnvelopeOf, ErrorAnswers, ok } from '../envelope.ts';
import { ShortText } from '../fields.ts';
import { readSessionCookie, setSessionCookie } from '../sessionCookie.ts';
import { refusePasswordChange, refuseSignIn } from './refusals.ts';

const Login = Type.Object({ login: Type.Boolean(), language: Type.Optional(Type.String()) });

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

/** `POST /api/user/login` and `POST /api/user/password`. */
export async function registerSignIn(app: FastifyInstance, signIn: SignIn, sessions: Sessions): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const response = { 200: EnvelopeOf(Login), ...ErrorAnswers };

  routes.post(
    '/api/user/login',
    {
      schema: { summary: 'Signs in; the session comes back as a cookie', body: SignInBody, response },
      config: { access: { kind: 'public' } },
    },
    async (request, reply) => {
      const { username, password, wallMonitor = false } = request.body;
      const previous = await sessions.find(readSessionCookie(request) ?? '');
      const asked = { username, password, wallMonitor, visitor: visitorOf(request), previous: previous?.session };
      const answer = await signIn.signIn(asked);
      if (!answer.ok) return refuseSignIn(reply, answer);
      setSessionCookie(reply, answer.id, answer.session.wallMonitor);
      return ok({ login: true, language: answer.user.language });
    },
  );

  routes.post(
    '/api/user/password',
    {
      schema: { summary: "Changes one's own password; ends all sessions", body: PasswordBody, response },
      config: { access: { kind: 'signed-in' } },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const answer = await signIn.changePassword({ caller, ...request.body, visitor: visitorOf(request) });
      if (!answer.ok) return refusePasswordChange(reply, answer);
      // A framed page without cookies signs in again: its token must not turn into a cookie.
      if (caller.by === 'cookie') setSessionCookie(reply, answer.id, answer.session.wallMonitor);
      else await sessions.end(answer.session);
      return ok({ login: caller.by === 'cookie' });
    },
  );
}

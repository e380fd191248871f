import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../../shared/protocol/passwords.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { Invitations } from '../../auth/invitations.ts';
import type { AuditStore } from '../../store/audit/audit.ts';
import { commonPassword, EnvelopeOf, ErrorAnswers, ok, refuse } from '../kernel/envelope.ts';

export interface InvitationRoutesDeps {
  readonly invitations: Invitations;
  readonly audit: Pick<AuditStore, 'add'>;
  readonly now: () => WallMs;
}

const closed = { additionalProperties: false } as const;
const Token = Type.String({ pattern: '^[A-Za-z\\d]{27}$' });
const Look = Type.Object({ token: Token }, closed);
const Accept = Type.Object(
  { token: Token, password: Type.String({ minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH }) },
  closed,
);
const Invited = Type.Object({ username: Type.String(), displayName: Type.String(), language: Type.String() });
const Accepted = Type.Object({ username: Type.String() });

const USED_UP = {
  status: 404,
  code: 'no-such-invitation',
  message: 'This invitation link was already used or has expired.',
} as const;

/** What the page behind a one-time link asks. The token comes in the body: addresses are kept in too many places. */
export async function registerInvitation(app: FastifyInstance, deps: InvitationRoutesDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = { access: { kind: 'public' } } as const;

  const found = { 200: EnvelopeOf(Invited), ...ErrorAnswers };
  routes.post(
    '/api/user/invitation',
    { schema: { summary: 'Whose invitation it is', body: Look, response: found }, config },
    async (request, reply) => {
      const user = await deps.invitations.find(request.body.token);
      if (user === undefined) return refuse(reply, USED_UP);
      const { username, displayName, language } = user;
      return ok({ username, displayName, language });
    },
  );

  const accepted = { 200: EnvelopeOf(Accepted), ...ErrorAnswers };
  routes.post(
    '/api/user/invitation/accept',
    { schema: { summary: 'Chooses the password; spends the link', body: Accept, response: accepted }, config },
    async (request, reply) => {
      const user = await deps.invitations.accept(request.body.token, request.body.password);
      if (user === 'common-password') return refuse(reply, commonPassword('password'));
      if (user === undefined) return refuse(reply, USED_UP);
      const entry = { actor: user.username, action: 'password.choose', target: user.username, address: request.ip };
      await deps.audit.add(entry, deps.now());
      return ok({ username: user.username });
    },
  );
}

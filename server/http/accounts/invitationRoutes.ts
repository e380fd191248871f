import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import {
  INVITATION_PATH,
  InvitationAcceptance,
  InvitationAccepted,
  InvitationBody,
  Invited,
} from '../../../shared/protocol/api/ownAccount.ts';
import type { Invitations } from '../../auth/invitations.ts';
import { answers } from '../kernel/answers.ts';
import { commonPassword, ok, refuse } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';

export interface InvitationRoutesDeps {
  readonly invitations: Invitations;
}

const USED_UP = {
  status: 404,
  code: 'no-such-invitation',
  message: 'This invitation link was already used or has expired.',
} as const;

/** What the page behind a one-time link asks. The token comes in the body: addresses are kept in too many places. */
export async function registerInvitation(app: FastifyInstance, { invitations }: InvitationRoutesDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = { access: { kind: 'public' } } as const;

  const asking = { summary: 'Whose invitation it is', body: InvitationBody, response: answers(Invited) };
  routes.post(INVITATION_PATH, { schema: asking, config }, async (request, reply) => {
    const user = await invitations.find(request.body.token);
    if (user === undefined) return refuse(reply, USED_UP);
    const { username, displayName, language } = user;
    return ok({ username, displayName, language });
  });

  const summary = 'Chooses the password; spends the link';
  const accepting = { summary, body: InvitationAcceptance, response: answers(InvitationAccepted) };
  routes.post(`${INVITATION_PATH}/accept`, { schema: accepting, config }, async (request, reply) => {
    const user = await invitations.accept(request.body.token, request.body.password);
    if (user === 'common-password') return refuse(reply, commonPassword('password'));
    if (user === undefined) return refuse(reply, USED_UP);
    const { username } = user;
    await recordAudit(request, { actor: username, action: 'password.choose', target: username });
    return ok({ username });
  });
}

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { SESSION_SORTS } from '../../../shared/protocol/api/accounts.ts';
import { callerOf } from '../kernel/caller.ts';
import { EnvelopeOf, ErrorAnswers, ok, refuse } from '../kernel/envelope.ts';
import { actorOf, MAY_RUN_MEMBERS, type MembershipDeps, note, withinOf } from './common.ts';
import { ListQueryOf, NumberText, PageOf, readListQuery } from './lists.ts';
import { editable, Nothing } from './memberRoutes.ts';
import { NO_SESSION, SessionAnswer, SessionId, showSession } from './sessionShape.ts';

const PATH = '/api/membership/sessions';
const Query = ListQueryOf(SESSION_SORTS, { member: Type.Optional(NumberText) });

/** The open sessions of the members whom the caller sees; ended ones close their streams within two seconds. */
export async function registerSessions(app: FastifyInstance, deps: MembershipDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = MAY_RUN_MEMBERS;
  const response = { 200: EnvelopeOf(PageOf(SessionAnswer)), ...ErrorAnswers };

  routes.get(PATH, { schema: { summary: 'Open sessions', querystring: Query, response }, config }, async (request) => {
    const { session } = callerOf(request);
    const actor = actorOf(callerOf(request));
    const { member } = request.query;
    const { total, rows } = await deps.sessionList.list({
      ...readListQuery(request.query, 'lastSeenAtMs'),
      userId: member === undefined ? undefined : Number(member),
      within: withinOf(actor),
      at: deps.now(),
    });
    const shown = [];
    const mayEnd = new Map<number, boolean>();
    for (const row of rows) {
      const may = mayEnd.get(row.userId) ?? !('status' in (await editable(row.userId, actor, deps)));
      mayEnd.set(row.userId, may);
      shown.push(showSession(row, { current: session.idHash, mayEnd: may }));
    }
    return ok({ total, rows: shown });
  });

  const ended = { 200: EnvelopeOf(Nothing), ...ErrorAnswers };
  routes.delete(
    `${PATH}/:id`,
    { schema: { summary: 'Ends a session', params: SessionId, response: ended }, config },
    async (request, reply) => {
      const actor = actorOf(callerOf(request));
      const session = await deps.sessionList.findByHandle(request.params.id);
      const owner = session === undefined ? NO_SESSION : await editable(session.userId, actor, deps);
      if (session === undefined) return refuse(reply, NO_SESSION);
      if ('status' in owner) return refuse(reply, owner.status === 404 ? NO_SESSION : owner);
      await deps.sessionList.removeByHandle(session.handle);
      await note(request, deps, {
        action: 'session.revoke',
        target: session.username,
        detail: { address: session.address, userAgent: session.userAgent },
      });
      return ok({});
    },
  );
}

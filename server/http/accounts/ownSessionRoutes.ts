import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { EndedSessions, SessionParams } from '../../../shared/protocol/api/accounts.ts';
import { OWN_SESSIONS_PATH, OwnSessions } from '../../../shared/protocol/api/ownAccount.ts';
import { Nothing } from '../../../shared/protocol/api/records.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { KnownBrowsers } from '../../auth/knownBrowsers.ts';
import type { SessionListStore } from '../../store/accounts/sessionList.ts';
import { answers } from '../kernel/answers.ts';
import { readBrowserCookie } from '../kernel/browserCookie.ts';
import { callerOf } from '../kernel/caller.ts';
import { ok, refuse } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { NO_SESSION } from './refusals.ts';
import { showSession } from './sessionShape.ts';

export interface OwnSessionsDeps {
  readonly sessionList: SessionListStore;
  readonly browsers: Pick<KnownBrowsers, 'forgetOthers'>;
  readonly now: () => WallMs;
}

const MAX_OWN_SESSIONS = 100;

/** The most recently used come first, as many as a user will look at. */
const NEWEST = {
  sort: 'lastSeenAtMs',
  descending: true,
  limit: MAX_OWN_SESSIONS,
  position: { at: 'offset', offset: 0 },
  wantsTotal: false,
  search: '',
} as const;

export function registerOwnSessions(app: FastifyInstance, deps: OwnSessionsDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = { access: { kind: 'signed-in' } } as const;
  const { sessionList, browsers, now } = deps;

  const listing = { summary: "One's own open sessions", response: answers(OwnSessions) };
  routes.get(OWN_SESSIONS_PATH, { schema: listing, config }, async (request) => {
    const { user, session } = callerOf(request);
    const page = await sessionList.page({ ...NEWEST, userId: user.id, at: now() });
    const rows = page?.rows ?? [];
    return ok(rows.map((row) => showSession(row, { current: session.idHash, mayEnd: true })));
  });

  const ending = { summary: 'Ends one of them', params: SessionParams, response: answers(Nothing) };
  routes.delete(`${OWN_SESSIONS_PATH}/:id`, { schema: ending, config }, async (request, reply) => {
    const { id, username } = callerOf(request).user;
    const session = await sessionList.findByHandle(request.params.id);
    if (session?.userId !== id) return refuse(reply, NO_SESSION);
    await sessionList.removeByHandle(session.handle);
    const { address, userAgent } = session;
    await recordAudit(request, { action: 'session.revoke', target: username, detail: { address, userAgent } });
    return ok({});
  });

  const endingOthers = { summary: 'Ends all but this one', response: answers(EndedSessions) };
  routes.delete(OWN_SESSIONS_PATH, { schema: endingOthers, config }, async (request) => {
    const { user, session } = callerOf(request);
    const ended = await sessionList.removeOthers(user.id, session.idHash);
    await browsers.forgetOthers(readBrowserCookie(request), user.id);
    await recordAudit(request, { action: 'session.endall', target: user.username, detail: { ended } });
    return ok({ ended });
  });
}

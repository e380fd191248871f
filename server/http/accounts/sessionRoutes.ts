import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import {
  ListedSession,
  SESSION_SORTS,
  SESSIONS_PATH,
  SessionFilters,
  SessionParams,
} from '../../../shared/protocol/api/accounts.ts';
import { Nothing } from '../../../shared/protocol/api/records.ts';
import { mayEdit } from '../../auth/membershipRules.ts';
import type { OpenSession } from '../../store/accounts/sessionList.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { ok, refuse } from '../kernel/envelope.ts';
import { type CsvRow, csvTimestamp } from '../kernel/lists/csv.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';
import type { Caller } from '../kernel/recognise.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { actorOf, findEditable, MAY_RUN_MEMBERS, type MembershipDeps, withinOf } from './common.ts';
import { NO_SESSION } from './refusals.ts';
import { showSession } from './sessionShape.ts';

/** The open sessions of the members whom the caller sees; ended ones close their streams within two seconds. */
export function registerSessions(app: FastifyInstance, deps: MembershipDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  listRoutes(app, {
    path: SESSIONS_PATH,
    summary: 'Open sessions',
    access: MAY_RUN_MEMBERS.access,
    row: ListedSession,
    sorts: SESSION_SORTS,
    order: { sort: 'lastSeenAtMs', descending: false },
    filters: SessionFilters,
    scope: callerOf,
    load: async ({ filters: { member }, ...query }, caller) => {
      const page = await deps.sessionList.page({
        ...query,
        userId: member === undefined ? undefined : Number(member),
        within: withinOf(actorOf(caller)),
        at: deps.now(),
      });
      return page === undefined ? undefined : { ...page, rows: await showAll(page.rows, caller, deps) };
    },
    csv: { fileName: 'sessions.csv', columns: CSV_COLUMNS, cells: () => cellsOf },
  });

  const schema = { summary: 'Ends a session', params: SessionParams, response: answers(Nothing) };
  routes.delete(`${SESSIONS_PATH}/:id`, { schema, config: MAY_RUN_MEMBERS }, async (request, reply) => {
    const session = await deps.sessionList.findByHandle(request.params.id);
    if (session === undefined) return refuse(reply, NO_SESSION);
    const owner = await findEditable(session.userId, actorOf(callerOf(request)), deps);
    if ('status' in owner) return refuse(reply, owner.status === 404 ? NO_SESSION : owner);
    await deps.sessionList.removeByHandle(session.handle);
    const { username, address, userAgent } = session;
    await recordAudit(request, { action: 'session.revoke', target: username, detail: { address, userAgent } });
    return ok({});
  });
}

async function showAll(
  sessions: readonly OpenSession[],
  caller: Caller,
  { members }: MembershipDeps,
): Promise<readonly ListedSession[]> {
  const actor = actorOf(caller);
  const owners = await members.findAll([...new Set(sessions.map(({ userId }) => userId))]);
  return sessions.map((session) => {
    const owner = owners.get(session.userId);
    const mayEnd = owner !== undefined && mayEdit(actor, owner);
    return showSession(session, { current: caller.session.idHash, mayEnd });
  });
}

const CSV_COLUMNS = [
  'username',
  'display_name',
  'address',
  'user_agent',
  'signed_in',
  'last_active',
  'ends',
  'wall_monitor',
];

function cellsOf(session: ListedSession): CsvRow {
  return [
    session.username,
    session.displayName,
    session.address,
    session.userAgent,
    csvTimestamp(session.createdAtMs),
    csvTimestamp(session.lastSeenAtMs),
    csvTimestamp(session.endsAtMs),
    session.wallMonitor ? 'yes' : 'no',
  ];
}

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import {
  OWN_GROUP_PATH,
  OWN_GROUPS_PATH,
  OwnGroup,
  OwnGroupChoice,
  OwnGroups,
} from '../../../shared/protocol/api/ownAccount.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import type { SessionStore } from '../../store/accounts/sessions.ts';
import type { UserStore } from '../../store/accounts/users.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { ok, refuse } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { NO_MEMBER_GROUP } from './refusals.ts';

export interface MemberDeps {
  readonly sessions: Pick<SessionStore, 'setMemberGroup'>;
  readonly users: Pick<UserStore, 'setMemberGroup'>;
}

/** `GET /api/system/membergroup` and `PUT /api/system/member`: a user's own groups, and the choice among them. */
export async function registerMember(app: FastifyInstance, { sessions, users }: MemberDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = { access: { kind: 'permissions', all: [Permission.MemberGroup] } } as const;

  const listing = { summary: "The caller's member groups", response: answers(OwnGroups) };
  routes.get(OWN_GROUPS_PATH, { schema: listing, config }, (request) =>
    ok(callerOf(request).groups.map(({ serialno, name }) => ({ serialno, name }))),
  );

  const summary = "Chooses the session's member group";
  const choosing = { summary, body: OwnGroupChoice, response: answers(OwnGroup) };
  routes.put(OWN_GROUP_PATH, { schema: choosing, config }, async (request, reply) => {
    const { user, session, groups } = callerOf(request);
    const { membergroup } = request.body;
    const chosen = groups.find((group) => group.serialno === membergroup);
    if (chosen === undefined) return refuse(reply, NO_MEMBER_GROUP);
    await sessions.setMemberGroup(session.idHash, membergroup);
    await users.setMemberGroup(user.id, membergroup);
    await recordAudit(request, { action: 'membergroup.choose', target: chosen.name });
    return ok({ membergroup });
  });
}

import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Permission } from '../../../shared/protocol/permissions.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import type { SessionStore } from '../../store/accounts/sessions.ts';
import type { UserStore } from '../../store/accounts/users.ts';
import type { AuditStore } from '../../store/audit/audit.ts';
import { callerOf } from '../kernel/caller.ts';
import { EnvelopeOf, ErrorAnswers, ok, refuse } from '../kernel/envelope.ts';

const Groups = Type.Array(Type.Object({ serialno: Type.Integer(), name: Type.String() }));

const OwnGroup = Type.Object(
  { self: Type.Literal(true), membergroup: Type.Integer({ minimum: 1 }) },
  { additionalProperties: false },
);

const NO_SUCH_GROUP = {
  status: 404,
  code: 'no-such-group',
  message: "Member group not found, or you don't have access to it.",
} as const;

export interface MemberDeps {
  readonly sessions: Pick<SessionStore, 'setMemberGroup'>;
  readonly users: UserStore;
  readonly audit: AuditStore;
  readonly now: () => WallMs;
}

/** `GET /api/system/membergroup` and `PUT /api/system/member`: a user's own groups, and the choice among them. */
export async function registerMember(app: FastifyInstance, deps: MemberDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = { access: { kind: 'permissions', all: [Permission.MemberGroup] } } as const;

  routes.get(
    '/api/system/membergroup',
    {
      schema: { summary: "The caller's member groups", response: { 200: EnvelopeOf(Groups), ...ErrorAnswers } },
      config,
    },
    (request) => ok(callerOf(request).groups.map(({ serialno, name }) => ({ serialno, name }))),
  );

  const response = { 200: EnvelopeOf(Type.Object({ membergroup: Type.Integer() })), ...ErrorAnswers };
  routes.put(
    '/api/system/member',
    { schema: { summary: "Chooses the session's member group", body: OwnGroup, response }, config },
    async (request, reply) => {
      const { user, session, groups } = callerOf(request);
      const { membergroup } = request.body;
      const chosen = groups.find((group) => group.serialno === membergroup);
      if (chosen === undefined) return refuse(reply, NO_SUCH_GROUP);
      await deps.sessions.setMemberGroup(session.idHash, membergroup);
      await deps.users.setMemberGroup(user.id, membergroup);
      const entry = { actor: user.username, action: 'membergroup.choose', target: chosen.name, address: request.ip };
      await deps.audit.add(entry, deps.now());
      return ok({ membergroup });
    },
  );
}

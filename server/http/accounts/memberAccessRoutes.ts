import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { EndedSessions, GivenPassword, IssuedInvitation, MEMBERS_PATH } from '../../../shared/protocol/api/accounts.ts';
import { Nothing } from '../../../shared/protocol/api/records.ts';
import { passwordFault } from '../../auth/passwordRules.ts';
import type { StoredMember } from '../../store/accounts/members.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { commonPassword, ok, type Refusal, refuse } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { actorOf, findEditable, IdParams, MAY_RUN_MEMBERS, type MembershipDeps } from './common.ts';
import { OWN_ACCOUNT } from './refusals.ts';

const PATH = `${MEMBERS_PATH}/:id`;
const params = IdParams;
const config = MAY_RUN_MEMBERS;

/** How a member gets in: link, password, second factor, sessions. Never the caller's own, which other calls are for. */
export function registerMemberAccess(app: FastifyInstance, deps: MembershipDeps): void {
  registerInvitations(app, deps);
  registerPassword(app, deps);
  registerTakingAway(app, deps);
}

function registerInvitations(app: FastifyInstance, deps: MembershipDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const onOther = forOthers(deps);
  const path = `${PATH}/invitation`;

  const issuing = { summary: 'A one-time link to choose a password', params, response: answers(IssuedInvitation) };
  routes.post(path, { schema: issuing, config }, (request, reply) =>
    onOther(request, reply, async (member) => {
      const issued = await deps.invitations.issue(member.id, callerOf(request).user.id);
      await recordAudit(request, { action: 'user.invite', target: member.username });
      return issued;
    }),
  );

  const withdrawing = { summary: 'Withdraws the link', params, response: answers(Nothing) };
  routes.delete(path, { schema: withdrawing, config }, (request, reply) =>
    onOther(request, reply, async (member) => {
      const isWithdrawn = await deps.invitations.withdraw(member.id);
      if (isWithdrawn) await recordAudit(request, { action: 'user.uninvite', target: member.username });
      return {};
    }),
  );
}

function registerPassword(app: FastifyInstance, deps: MembershipDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const onOther = forOthers(deps);
  const summary = 'Gives a password; ends all sessions';
  const schema = { summary, params, body: GivenPassword, response: answers(EndedSessions) };
  routes.put(`${PATH}/password`, { schema, config }, (request, reply) =>
    onOther(request, reply, async (member) => {
      const { password } = request.body;
      if (passwordFault(password, member.username) !== undefined) return commonPassword('password');
      await deps.users.setPasswordHash(member.id, await deps.passwords.hash(password), deps.now());
      const ended = await deps.sessions.endAllOf(member.id);
      await recordAudit(request, { action: 'password.reset', target: member.username, detail: { ended } });
      return { ended };
    }),
  );
}

function registerTakingAway(app: FastifyInstance, deps: MembershipDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const onOther = forOthers(deps);
  const response = answers(EndedSessions);

  const factor = { summary: 'Takes the second factor away; ends all sessions', params, response };
  routes.delete(`${PATH}/secondfactor`, { schema: factor, config }, (request, reply) =>
    onOther(request, reply, async (member) => {
      await deps.secondFactors.remove(member.id);
      await deps.invitations.withdraw(member.id);
      const ended = await deps.sessions.endAllOf(member.id);
      await recordAudit(request, { action: 'secondfactor.reset', target: member.username, detail: { ended } });
      return { ended };
    }),
  );

  const sessions = { summary: 'Ends all sessions of the member', params, response };
  routes.delete(`${PATH}/sessions`, { schema: sessions, config }, (request, reply) =>
    onOther(request, reply, async (member) => {
      const ended = await deps.sessions.endAllOf(member.id);
      await recordAudit(request, { action: 'session.endall', target: member.username, detail: { ended } });
      return { ended };
    }),
  );
}

type OfMember = FastifyRequest & { readonly params: { readonly id: string } };

/** Runs what is done to a member whom the caller may change, and who is not the caller. */
function forOthers(deps: MembershipDeps) {
  return async <Data extends object>(
    request: OfMember,
    reply: FastifyReply,
    run: (member: StoredMember) => Promise<Data | Refusal>,
  ) => {
    const actor = actorOf(callerOf(request));
    const member = await findEditable(Number(request.params.id), actor, deps);
    if ('status' in member) return refuse(reply, member);
    if (member.id === actor.id) return refuse(reply, OWN_ACCOUNT);
    const done = await run(member);
    return 'status' in done ? refuse(reply, done) : ok(done);
  };
}

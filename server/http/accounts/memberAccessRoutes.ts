import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { passwordFault } from '../../auth/passwordRules.ts';
import type { Member } from '../../store/accounts/members.ts';
import { callerOf } from '../kernel/caller.ts';
import { commonPassword, EnvelopeOf, ErrorAnswers, ok, type Refusal, refuse } from '../kernel/envelope.ts';
import { actorOf, MAY_RUN_MEMBERS, type MembershipDeps, note, OWN_ACCOUNT } from './common.ts';
import { editable, MemberId, Nothing } from './memberRoutes.ts';
import { NewPassword } from './memberShape.ts';

const PATH = '/api/membership/members/:id';

const Invited = Type.Object({ token: Type.String(), expiresAtMs: Type.Integer() });
const Given = Type.Object({ password: NewPassword }, { additionalProperties: false });
const Ended = Type.Object({ ended: Type.Integer() });

/** How a member gets in: link, password, second factor, sessions. Never the caller's own, which other calls are for. */
export async function registerMemberAccess(app: FastifyInstance, deps: MembershipDeps): Promise<void> {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = MAY_RUN_MEMBERS;
  const params = MemberId;
  const onOther = forOthers(deps);

  routes.post(
    `${PATH}/invitation`,
    { schema: { summary: 'A one-time link to choose a password', params, response: answers(Invited) }, config },
    (request, reply) =>
      onOther(request, reply, async (member) => {
        const issued = await deps.invitations.issue(member.id, callerOf(request).user.id);
        await note(request, deps, { action: 'user.invite', target: member.username });
        return { ...issued };
      }),
  );

  routes.delete(
    `${PATH}/invitation`,
    { schema: { summary: 'Withdraws the link', params, response: answers(Nothing) }, config },
    (request, reply) =>
      onOther(request, reply, async (member) => {
        const isWithdrawn = await deps.invitations.withdraw(member.id);
        if (isWithdrawn) await note(request, deps, { action: 'user.uninvite', target: member.username });
        return {};
      }),
  );

  registerTakingAway(app, deps);
}

function registerTakingAway(app: FastifyInstance, deps: MembershipDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = MAY_RUN_MEMBERS;
  const params = MemberId;
  const onOther = forOthers(deps);

  routes.put(
    `${PATH}/password`,
    {
      schema: { summary: 'Gives a password; ends all sessions', params, body: Given, response: answers(Ended) },
      config,
    },
    (request, reply) =>
      onOther(request, reply, async (member) => {
        const { password } = request.body;
        if (passwordFault(password, member.username) !== undefined) return commonPassword('password');
        await deps.users.setPasswordHash(member.id, await deps.passwords.hash(password), deps.now());
        const ended = await deps.sessions.endAllOf(member.id);
        await note(request, deps, { action: 'password.reset', target: member.username, detail: { ended } });
        return { ended };
      }),
  );

  routes.delete(
    `${PATH}/secondfactor`,
    {
      schema: { summary: 'Takes the second factor away; ends all sessions', params, response: answers(Ended) },
      config,
    },
    (request, reply) =>
      onOther(request, reply, async (member) => {
        await deps.secondFactors.remove(member.id);
        await deps.invitations.withdraw(member.id);
        const ended = await deps.sessions.endAllOf(member.id);
        await note(request, deps, { action: 'secondfactor.reset', target: member.username, detail: { ended } });
        return { ended };
      }),
  );

  routes.delete(
    `${PATH}/sessions`,
    { schema: { summary: 'Ends all sessions of the member', params, response: answers(Ended) }, config },
    (request, reply) =>
      onOther(request, reply, async (member) => {
        const ended = await deps.sessions.endAllOf(member.id);
        await note(request, deps, { action: 'session.endall', target: member.username, detail: { ended } });
        return { ended };
      }),
  );
}

function answers<Data extends Type.TSchema>(data: Data) {
  return { 200: EnvelopeOf(data), ...ErrorAnswers };
}

type OfMember = FastifyRequest & { readonly params: { readonly id: string } };

/** Runs what is done to a member whom the caller may change, and who is not the caller. */
function forOthers(deps: MembershipDeps) {
  return async <Data extends object>(
    request: OfMember,
    reply: FastifyReply,
    run: (member: Member) => Promise<Data | Refusal>,
  ) => {
    const actor = actorOf(callerOf(request));
    const member = await editable(Number(request.params.id), actor, deps);
    if ('status' in member) return refuse(reply, member);
    if (member.id === actor.id) return refuse(reply, OWN_ACCOUNT);
    const done = await run(member);
    return 'status' in done ? refuse(reply, done) : ok(done);
  };
}

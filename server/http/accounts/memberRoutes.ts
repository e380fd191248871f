import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AddedMember, ChangedMember, MEMBERS_PATH, Member, NewMember } from '../../../shared/protocol/api/accounts.ts';
import { Nothing } from '../../../shared/protocol/api/records.ts';
import { createMemberActs, type MemberRefusal } from '../../auth/acts/members.ts';
import { sees } from '../../auth/membershipRules.ts';
import type { StoredMember } from '../../store/accounts/members.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { ok, refuse } from '../kernel/envelope.ts';
import { actorOf as whoActs } from '../kernel/records/recordRoutes.ts';
import { refusalOfAct } from './actRefusals.ts';
import { actorOf, IdParams, MAY_RUN_MEMBERS, type MembershipDeps, TOLD_MEMBERS_ACT, VersionQuery } from './common.ts';
import { showMember } from './memberShape.ts';
import { NO_MEMBER } from './refusals.ts';

/** A member that the caller sees: read, add, change, remove. */
export function registerMembers(app: FastifyInstance, deps: MembershipDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const config = MAY_RUN_MEMBERS;
  const path = `${MEMBERS_PATH}/:id`;
  const params = IdParams;

  routes.get(
    path,
    { schema: { summary: 'A member', params, response: answers(Member) }, config },
    async (request, reply) => {
      const actor = actorOf(callerOf(request));
      const member = await deps.members.find(Number(request.params.id));
      if (member === undefined || !sees(actor, member)) return refuse(reply, NO_MEMBER);
      return ok(showMember(member, actor, deps.now()));
    },
  );

  registerChanges(app, deps);
}

function registerChanges(app: FastifyInstance, deps: MembershipDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const acts = createMemberActs(deps);
  const config = TOLD_MEMBERS_ACT;
  const path = `${MEMBERS_PATH}/:id`;
  const params = IdParams;
  const shown = (request: FastifyRequest, member: StoredMember) =>
    showMember(member, actorOf(callerOf(request)), deps.now());
  const refused = (request: FastifyRequest, reply: FastifyReply, reason: MemberRefusal) => {
    const current = reason.kind === 'conflict' ? shown(request, reason.current) : undefined;
    return refuse(reply, refusalOfAct(reason, NO_MEMBER, current));
  };

  const adding = { summary: 'Adds a member', body: NewMember, response: answers(AddedMember) };
  routes.post(MEMBERS_PATH, { schema: adding, config }, async (request, reply) => {
    const done = await acts.add(whoActs(request), request.body);
    return done.ok ? ok(done.value) : refused(request, reply, done.reason);
  });

  const changing = { summary: 'Changes a member', params, body: ChangedMember, response: answers(Member) };
  routes.put(path, { schema: changing, config }, async (request, reply) => {
    const { version, ...content } = request.body;
    const done = await acts.change(whoActs(request), { id: Number(request.params.id), version }, content);
    return done.ok ? ok(shown(request, done.value)) : refused(request, reply, done.reason);
  });

  const removing = { summary: 'Removes a member', params, querystring: VersionQuery, response: answers(Nothing) };
  routes.delete(path, { schema: removing, config }, async (request, reply) => {
    const named = { id: Number(request.params.id), version: Number(request.query.version) };
    const done = await acts.remove(whoActs(request), named);
    return done.ok ? ok({}) : refused(request, reply, done.reason);
  });
}

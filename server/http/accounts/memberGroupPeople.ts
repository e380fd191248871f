import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { EditedGroup, GROUPS_PATH, PeopleChange } from '../../../shared/protocol/api/accounts.ts';
import { namesOf } from '../../auth/acts/groupNames.ts';
import { type Actor, groupScope, isAdministrator, mayPlace, sees } from '../../auth/membershipRules.ts';
import { answers } from '../kernel/answers.ts';
import { callerOf } from '../kernel/caller.ts';
import { ok, type Refusal, refuse } from '../kernel/envelope.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { actorOf, MAY_RUN_MEMBERS, type MembershipDeps, SerialParams } from './common.ts';
import { BEYOND_OWN, NO_MEMBER, NO_MEMBER_GROUP, OWN_ACCOUNT } from './refusals.ts';

export function registerGroupPeople(app: FastifyInstance, deps: MembershipDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const groups = deps.memberGroupEditing;
  const summary = 'Who belongs to a group';
  const schema = { summary, params: SerialParams, body: PeopleChange, response: answers(EditedGroup) };
  routes.post(`${GROUPS_PATH}/:serialno/people`, { schema, config: MAY_RUN_MEMBERS }, async (request, reply) => {
    const serialno = Number(request.params.serialno);
    const { add, remove } = request.body;
    const actor = actorOf(callerOf(request));
    const group = await groups.find(serialno);
    const isSeen = groupScope(actor)?.includes(serialno) ?? true;
    if (group === undefined || !isSeen) return refuse(reply, NO_MEMBER_GROUP);
    const people = await placeable([...add, ...remove], actor, deps);
    if ('status' in people) return refuse(reply, people);
    await groups.addPeople(serialno, add);
    await groups.removePeople(serialno, remove);
    const detail = { added: namesOf(add, people), removed: namesOf(remove, people) };
    await recordAudit(request, { action: 'membergroup.people', target: group.name, detail });
    const changed = await groups.find(serialno);
    if (changed === undefined) throw new Error(`the member group ${serialno} is gone`);
    return ok(changed);
  });
}

/** The user names of these members; or why the caller may not put all of them in and out of groups. */
async function placeable(
  ids: readonly number[],
  actor: Actor,
  { members }: MembershipDeps,
): Promise<ReadonlyMap<number, string> | Refusal> {
  const names = new Map<number, string>();
  for (const id of ids) {
    const member = await members.find(id);
    if (member === undefined || !sees(actor, member)) return NO_MEMBER;
    if (id === actor.id && !isAdministrator(actor)) return OWN_ACCOUNT;
    if (!mayPlace(actor, member)) return BEYOND_OWN;
    names.set(id, member.username);
  }
  return names;
}

// Data plans of a member group.
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { AuditFields } from '../../../shared/protocol/api/audit.ts';
import {
  ChangedSimPlan,
  MAX_SIM_PLANS,
  SIM_PLAN_SORTS,
  SIM_PLANS_PATH,
  SimPlan,
  SimPlanContent,
} from '../../../shared/protocol/api/netflow/netflow.ts';
import { IdText, Nothing } from '../../../shared/protocol/api/records.ts';
import { isTimeZone } from '../../../shared/protocol/timeZones.ts';
import type { NamedPlan } from '../../store/netflow/simPlans.ts';
import { VersionQuery } from '../accounts/common.ts';
import { answers } from '../kernel/answers.ts';
import { conflictWith, ok, type Refusal, refuse, refusedFields } from '../kernel/envelope.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import {
  MAY_SEE_USAGE as config,
  memberGroupOf,
  NETFLOW_ACCESS,
  type NetflowDeps,
  NO_SIM_PLAN,
  TOO_MANY_SIM_PLANS,
} from './netflowDeps.ts';

const params = Type.Object({ id: IdText });
const path = `${SIM_PLANS_PATH}/:id`;

export function registerSimPlans(app: FastifyInstance, deps: NetflowDeps): void {
  registerList(app, deps);
  registerAdding(app, deps);
  registerSaving(app, deps);
  registerRemoving(app, deps);
}

function registerList(app: FastifyInstance, { stores }: NetflowDeps): void {
  listRoutes(app, {
    path: SIM_PLANS_PATH,
    summary: 'Data plans',
    access: NETFLOW_ACCESS,
    row: SimPlan,
    sorts: SIM_PLAN_SORTS,
    order: { sort: 'name', descending: false },
    filters: {},
    // A form gives all of them to select from.
    maxRows: MAX_SIM_PLANS,
    scope: memberGroupOf,
    load: ({ filters: _, ...query }, memberGroup) => stores.simPlans.page({ ...query, memberGroup }),
    csv: {
      fileName: 'data-plans.csv',
      columns: ['name', 'megabytes', 'reset day', 'time zone', 'price', 'action', 'devices'],
      cells: () => (plan) => [
        plan.name,
        plan.megabytes,
        plan.resetDay,
        plan.timeZone,
        plan.price,
        plan.action,
        plan.devices,
      ],
    },
  });
}

function registerAdding(app: FastifyInstance, { stores, netflow }: NetflowDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Adds a data plan', body: SimPlanContent, response: answers(SimPlan) };
  routes.post(SIM_PLANS_PATH, { schema, config: { ...config, addsToGroup: true } }, async (request, reply) => {
    const content = tidy(request.body);
    const refusal = refusalOf(content);
    if (refusal !== undefined) return refuse(reply, refusal);
    const memberGroup = memberGroupOf(request);
    const added = await stores.simPlans.insert(memberGroup, content);
    if (!added.ok) return refuse(reply, TOO_MANY_SIM_PLANS);
    await recordAudit(request, { action: 'simplan.add', target: content.name, after: auditFieldsOf(content) });
    await netflow.plansChanged(memberGroup);
    return ok(added.value);
  });
}

function registerSaving(app: FastifyInstance, deps: NetflowDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = { summary: 'Changes a data plan', params, body: ChangedSimPlan, response: answers(SimPlan) };
  routes.put(path, { schema, config }, async (request, reply) => {
    const { version, ...given } = request.body;
    const content = tidy(given);
    const named = { id: Number(request.params.id), version, memberGroup: memberGroupOf(request) };
    if ((await deps.stores.simPlans.find(named.id, named.memberGroup)) === undefined) return refuse(reply, NO_SIM_PLAN);
    const refusal = refusalOf(content);
    if (refusal !== undefined) return refuse(reply, refusal);
    const done = await deps.stores.simPlans.update(named, content);
    if (!done.ok) return refuseChange(reply, named, deps);
    const [before, after] = [auditFieldsOf(done.value.before), auditFieldsOf(done.value.after)];
    await recordAudit(request, { action: 'simplan.change', target: content.name, before, after });
    await deps.netflow.plansChanged(named.memberGroup);
    return ok(done.value.after);
  });
}

function registerRemoving(app: FastifyInstance, deps: NetflowDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const querystring = VersionQuery;
  const schema = { summary: 'Deletes a data plan', params, querystring, response: answers(Nothing) };
  routes.delete(path, { schema, config }, async (request, reply) => {
    const version = Number(request.query.version);
    const named = { id: Number(request.params.id), version, memberGroup: memberGroupOf(request) };
    const done = await deps.stores.simPlans.remove(named);
    if (!done.ok) return refuseChange(reply, named, deps);
    const before = auditFieldsOf(done.value);
    await recordAudit(request, { action: 'simplan.remove', target: done.value.name, before });
    await deps.netflow.plansChanged(named.memberGroup);
    return ok({});
  });
}

/** Texts without blanks at their ends. */
function tidy(content: SimPlanContent): SimPlanContent {
  return { ...content, name: content.name.trim(), price: content.price.trim() };
}

function refusalOf({ name, timeZone }: SimPlanContent): Refusal | undefined {
  if (name === '') return refusedFields({ name: 'required' });
  return isTimeZone(timeZone) ? undefined : refusedFields({ timeZone: 'unknown' });
}

async function refuseChange(reply: FastifyReply, named: NamedPlan, { stores }: NetflowDeps): Promise<FastifyReply> {
  const current = await stores.simPlans.find(named.id, named.memberGroup);
  return refuse(reply, current === undefined ? NO_SIM_PLAN : conflictWith(current));
}

function auditFieldsOf({ name, megabytes, resetDay, timeZone, price, action }: SimPlanContent): AuditFields {
  return { name, megabytes, resetDay, timeZone, price, action };
}

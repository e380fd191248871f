// Data plans of a member group.
import type { FastifyInstance } from 'fastify';
import {
  ChangedSimPlan,
  MAX_SIM_PLANS,
  SIM_PLAN_SORTS,
  SIM_PLANS_PATH,
  SimPlan,
  SimPlanContent,
} from '../../../shared/protocol/api/netflow/netflow.ts';
import { createSimPlanActs } from '../../netflow/acts/simPlans.ts';
import { listRoutes } from '../kernel/lists/listRoutes.ts';
import { recordRoutes } from '../kernel/records/recordRoutes.ts';
import { memberGroupOf, NETFLOW_ACCESS, type NetflowDeps, NO_SIM_PLAN, TOO_MANY_SIM_PLANS } from './netflowDeps.ts';

export function registerSimPlans(app: FastifyInstance, { stores, bus, now }: NetflowDeps): void {
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
  recordRoutes(app, {
    path: SIM_PLANS_PATH,
    noun: 'a data plan',
    access: NETFLOW_ACCESS,
    content: SimPlanContent,
    changed: ChangedSimPlan,
    row: SimPlan,
    acts: createSimPlanActs({ store: stores.simPlans, bus, now }),
    show: (plan) => plan,
    refusals: { gone: NO_SIM_PLAN, tooMany: TOO_MANY_SIM_PLANS },
  });
}

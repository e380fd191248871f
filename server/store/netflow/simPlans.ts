// The only module that writes `sim_plan`: the data plans of a member group.
import { MAX_SIM_PLANS, type SimPlan, type SimPlanContent } from '../../../shared/protocol/api/netflow/netflow.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { numberColumn, textColumn } from '../engine/listPage.ts';
import {
  createGroupRecordStore,
  type GroupRecordStore,
  OF_MEMBER_GROUP,
  type RecordEdit,
} from '../records/groupRecords.ts';
import { actionOf } from './netflowUse.ts';

export type SimPlanStore = GroupRecordStore<SimPlanContent, SimPlan, 'name' | 'megabytes'>;

/** Data plans of a member group. A further one is refused with 409 `too-many-sim-plans`. */
export const SIM_PLANS_LIMIT: Limit = { name: 'netflow.plans.group', max: MAX_SIM_PLANS };

/** Devices of a plan that is removed have none afterwards. */
export function createSimPlanStore(db: StoreDb, reading: StoreDb, onLimit?: OnLimit): SimPlanStore {
  const records = {
    table: 'sim_plan',
    ...OF_MEMBER_GROUP,
    rows: plansIn,
    toRow: toPlan,
    toColumns,
    sorts: { name: textColumn('sim_plan.name_key'), megabytes: numberColumn('sim_plan.megabytes') },
    searched: ['sim_plan.name_key'],
    limit: SIM_PLANS_LIMIT,
  } as const;
  return createGroupRecordStore(records, { db, reading, onLimit });
}

function plansIn(db: StoreDb) {
  return db
    .selectFrom('sim_plan')
    .selectAll()
    .select((is) =>
      is
        .selectFrom('device_sim')
        .innerJoin('device', 'device.incarnation', 'device_sim.incarnation')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('device_sim.plan', '=', 'sim_plan.id')
        .as('devices'),
    );
}

type PlanRow = Awaited<ReturnType<ReturnType<typeof plansIn>['executeTakeFirstOrThrow']>>;

function toColumns({ content }: RecordEdit<SimPlanContent>) {
  const { name, megabytes, resetDay, timeZone, price, action } = content;
  const name_key = name.toLowerCase();
  return { name, name_key, megabytes, reset_day: resetDay, time_zone: timeZone, price, action };
}

function toPlan(row: PlanRow): SimPlan {
  const { id, version, name, megabytes, price, devices } = row;
  const rules = { resetDay: row.reset_day, timeZone: row.time_zone, action: actionOf(row.action) };
  return { id, version, name, megabytes, price, ...rules, devices: Number(devices ?? 0) };
}

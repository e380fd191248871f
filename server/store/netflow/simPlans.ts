// The only module that writes `sim_plan` and the values in `device_sim` that members enter.
import {
  MAX_SIM_PLANS,
  type SimContent,
  type SimPlan,
  type SimPlanContent,
} from '../../../shared/protocol/api/netflow/netflow.ts';
import type { Limit, OnLimit } from '../../limits/limit.ts';
import type { StoreDb } from '../engine/database.ts';
import { searchIn } from '../engine/likeSearch.ts';
import { type FoundPage, listPage, mapRows, numberColumn, type PageRequest, textColumn } from '../engine/listPage.ts';
import type { Outcome } from '../outcome.ts';
import { actionOf } from './netflowUse.ts';

interface SimPlanQuery extends PageRequest<'name' | 'megabytes'> {
  readonly memberGroup: number;
  readonly search: string;
}

/** A version of a plan; a plan of another member group counts as missing. */
export interface NamedPlan {
  readonly id: number;
  readonly memberGroup: number;
  readonly version: number;
}

interface SimLift {
  readonly untilMs: number;
  /** Username. */
  readonly by: string;
}

interface Changed {
  readonly before: SimPlan;
  readonly after: SimPlan;
}

export type StoredSim = Omit<SimContent, 'deviceid'>;

export interface SimPlanStore {
  page(query: SimPlanQuery): Promise<FoundPage<SimPlan> | undefined>;
  find(id: number, memberGroup: number): Promise<SimPlan | undefined>;
  insert(memberGroup: number, content: SimPlanContent): Promise<Outcome<SimPlan, 'too-many'>>;
  update(named: NamedPlan, content: SimPlanContent): Promise<Outcome<Changed, 'gone' | 'conflict'>>;
  /** Its devices have no plan afterwards. */
  remove(named: NamedPlan): Promise<Outcome<SimPlan, 'gone' | 'conflict'>>;
  /** A device without a stored SIM has an empty one with version 0. */
  sim(incarnation: number): Promise<StoredSim>;
  putSim(incarnation: number, content: StoredSim): Promise<boolean>;
  lift(incarnation: number, lift: SimLift): Promise<void>;
}

export const SIM_PLANS_LIMIT: Limit = { name: 'netflow.plans.group', max: MAX_SIM_PLANS };

const ORDER = { name: textColumn('sim_plan.name_key'), megabytes: numberColumn('sim_plan.megabytes') } as const;

export function createSimPlanStore(db: StoreDb, reading: StoreDb, onLimit?: OnLimit): SimPlanStore {
  return {
    page: async (query) => {
      const own = plansOf(reading, query.memberGroup);
      const found = searchIn(['sim_plan.name_key'], query.search);
      const rows = found === undefined ? own : own.where(found);
      return mapRows(
        await listPage(reading, { rows, keys: [ORDER[query.sort], numberColumn('sim_plan.id')] }, query),
        toPlan,
      );
    },
    find: (id, memberGroup) => findPlan(db, id, memberGroup),
    insert: (memberGroup, content) =>
      db.transaction().execute(async (work) => {
        // Makes concurrent additions wait for each other, so that the second counts the plan of the first.
        const group = work.updateTable('member_group').where('serialno', '=', memberGroup);
        await group.set({ serialno: memberGroup }).execute();
        const own = work.selectFrom('sim_plan').select(({ fn }) => fn.countAll<number>().as('count'));
        const { count } = await own.where('member_group', '=', memberGroup).executeTakeFirstOrThrow();
        if (Number(count) >= SIM_PLANS_LIMIT.max) {
          onLimit?.(SIM_PLANS_LIMIT);
          return { ok: false, reason: 'too-many' };
        }
        const values = { member_group: memberGroup, ...toColumns(content) };
        const { id } = await work.insertInto('sim_plan').values(values).returning('id').executeTakeFirstOrThrow();
        return { ok: true, value: { id, version: 1, ...content, devices: 0 } };
      }),
    update: (named, content) => db.transaction().execute((work) => updatePlan(work, named, content)),
    remove: (named) =>
      db.transaction().execute(async (work) => {
        const before = await findPlan(work, named.id, named.memberGroup);
        if (before === undefined) return { ok: false, reason: 'gone' };
        const plan = work.deleteFrom('sim_plan').where('id', '=', named.id).where('version', '=', named.version);
        const { numDeletedRows } = await plan.executeTakeFirst();
        return numDeletedRows > 0n ? { ok: true, value: before } : { ok: false, reason: 'conflict' };
      }),
    sim: (incarnation) => findSim(db, incarnation),
    putSim: (incarnation, content) => db.transaction().execute((work) => putSim(work, incarnation, content)),
    lift: async (incarnation, { untilMs, by }) => {
      const values = { lifted_until_ms: untilMs, lifted_by: by };
      const row = db.insertInto('device_sim').values({ incarnation, ...values, version: 0 });
      await row.onConflict((conflict) => conflict.column('incarnation').doUpdateSet(values)).execute();
    },
  };
}

function plansOf(db: StoreDb, memberGroup: number) {
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
    )
    .where('member_group', '=', memberGroup);
}

type PlanRow = Awaited<ReturnType<ReturnType<typeof plansOf>['executeTakeFirstOrThrow']>>;

async function findPlan(db: StoreDb, id: number, memberGroup: number): Promise<SimPlan | undefined> {
  const row = await plansOf(db, memberGroup).where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : toPlan(row);
}

async function updatePlan(
  work: StoreDb,
  { id, memberGroup, version }: NamedPlan,
  content: SimPlanContent,
): Promise<Outcome<Changed, 'gone' | 'conflict'>> {
  const before = await findPlan(work, id, memberGroup);
  if (before === undefined) return { ok: false, reason: 'gone' };
  const { numUpdatedRows } = await work
    .updateTable('sim_plan')
    .set({ ...toColumns(content), version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return { ok: false, reason: 'conflict' };
  return { ok: true, value: { before, after: { ...before, ...content, version: version + 1 } } };
}

async function findSim(db: StoreDb, incarnation: number): Promise<StoredSim> {
  const row = await db.selectFrom('device_sim').selectAll().where('incarnation', '=', incarnation).executeTakeFirst();
  if (row === undefined) return { number: '', iccid: '', plan: 0, expiryDay: '', version: 0 };
  const { number, iccid, plan, expiry_day: expiryDay, version } = row;
  return { number, iccid, plan: plan ?? 0, expiryDay, version };
}

/** False if the stored version isn't the one that the caller knew. */
async function putSim(work: StoreDb, incarnation: number, content: StoredSim): Promise<boolean> {
  const { number, iccid, plan, expiryDay: expiry_day, version } = content;
  const values = { number, iccid, plan: plan === 0 ? null : plan, expiry_day, version: version + 1 };
  const changed = await work
    .updateTable('device_sim')
    .set(values)
    .where('incarnation', '=', incarnation)
    .where('version', '=', version)
    .executeTakeFirst();
  if (changed.numUpdatedRows > 0n) return true;
  if (version > 0) return false;
  const added = work.insertInto('device_sim').values({ incarnation, ...values });
  const { numInsertedOrUpdatedRows = 0n } = await added
    .onConflict((conflict) => conflict.column('incarnation').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

function toColumns({ name, megabytes, resetDay, timeZone, price, action }: SimPlanContent) {
  const name_key = name.toLowerCase();
  return { name, name_key, megabytes, reset_day: resetDay, time_zone: timeZone, price, action };
}

function toPlan(row: PlanRow): SimPlan {
  const { id, version, name, megabytes, price, devices } = row;
  const rules = { resetDay: row.reset_day, timeZone: row.time_zone, action: actionOf(row.action) };
  return { id, version, name, megabytes, price, ...rules, devices: Number(devices ?? 0) };
}

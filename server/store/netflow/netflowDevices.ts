// Devices of a member group with their data usage, as a list.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { NETFLOW_DEVICE_SORTS } from '../../../shared/protocol/api/netflow/netflow.ts';
import type { StoreDb } from '../engine/database.ts';
import { searchIn } from '../engine/likeSearch.ts';
import {
  type FoundPage,
  numberKey,
  type PageRequest,
  type SortKey,
  textColumn,
  totalFor,
  wideRowsOfPage,
} from '../engine/listPage.ts';

type NetflowDeviceSort = (typeof NETFLOW_DEVICE_SORTS)[number];

export interface NetflowDeviceQuery extends PageRequest<NetflowDeviceSort> {
  readonly memberGroup: number;
  readonly search: string;
  /** Device groups; undefined: all. */
  readonly groups: readonly number[] | undefined;
  readonly plan: 'none' | 'within' | 'near' | 'over' | undefined;
  readonly overheadPercent: number;
}

export interface NetflowDeviceRow {
  readonly incarnation: number;
  readonly device_id: string;
  readonly name: string;
  readonly plate: string;
  readonly device_group: number | null;
  readonly group_name: string | null;
  readonly time_zone: string;
  readonly from_ms: number | null;
  readonly to_ms: number | null;
  readonly received_bytes: number | null;
  readonly sent_bytes: number | null;
  readonly kinds: string | null;
  readonly today_bytes: number | null;
  readonly forecast_bytes: number | null;
  readonly plan: number | null;
  readonly plan_name: string | null;
  readonly megabytes: number | null;
  readonly reset_day: number | null;
  readonly plan_time_zone: string | null;
  readonly action: string | null;
  readonly lifted_until_ms: number | null;
  readonly lifted_by: string | null;
  readonly number: string | null;
  readonly iccid: string | null;
  readonly expiry_day: string | null;
  readonly sim_version: number | null;
  readonly reported_iccid: string | null;
}

export interface SeenDevice {
  readonly incarnation: number;
  readonly deviceId: string;
  readonly name: string;
}

export interface NetflowDeviceStore {
  page(query: NetflowDeviceQuery): Promise<FoundPage<NetflowDeviceRow> | undefined>;
  /** Undefined for a device that the member group doesn't see. */
  row(memberGroup: number, deviceId: string): Promise<NetflowDeviceRow | undefined>;
  find(memberGroup: number, deviceId: string): Promise<SeenDevice | undefined>;
}

const USED = sql`(coalesce(netflow_device.received_bytes, 0) + coalesce(netflow_device.sent_bytes, 0))`;
/** The share in millionths: keys are whole numbers. */
const shareOf = (bytes: RawBuilder<unknown>) => sql`coalesce(cast(${bytes} * 1.0 / sim_plan.megabytes as bigint), -1)`;
const ORDER = {
  name: textColumn('device.name_key'),
  usedBytes: numberKey(USED),
  todayBytes: numberKey(sql`coalesce(netflow_device.today_bytes, 0)`),
  planShare: numberKey(shareOf(USED)),
  forecastShare: numberKey(shareOf(sql`coalesce(netflow_device.forecast_bytes, -1)`)),
} as const satisfies Record<NetflowDeviceSort, SortKey>;

export function createNetflowDeviceStore(reading: StoreDb): NetflowDeviceStore {
  return {
    page: (query) => pageOf(reading, query),
    row: (memberGroup, deviceId) =>
      wide(reading, seen(reading, memberGroup).select('device.device_id'))
        .where('device.device_id', '=', deviceId)
        .executeTakeFirst(),
    find: async (memberGroup, deviceId) => {
      const device = seen(reading, memberGroup).where('device.device_id', '=', deviceId);
      return device.select(['device.incarnation', 'device.device_id as deviceId', 'device.name']).executeTakeFirst();
    },
  };
}

/** Devices that are not disabled, joined with the tables for sorting and filtering lists. */
function seen(db: StoreDb, memberGroup: number) {
  const groups = db
    .selectFrom('member_group_device_group')
    .select('device_group')
    .where('member_group', '=', memberGroup);
  return db
    .selectFrom('device')
    .leftJoin('netflow_device', 'netflow_device.incarnation', 'device.incarnation')
    .leftJoin('device_sim', 'device_sim.incarnation', 'device.incarnation')
    .leftJoin('sim_plan', 'sim_plan.id', 'device_sim.plan')
    .where('device.disabled', '=', 0)
    .where('device.device_group', 'in', groups);
}

async function pageOf(db: StoreDb, query: NetflowDeviceQuery): Promise<FoundPage<NetflowDeviceRow> | undefined> {
  const rows = matching(db, query).select('device.device_id');
  const keys = [ORDER[query.sort], textColumn('device.device_id')];
  const [total, page] = await Promise.all([
    totalFor(db, rows, query),
    wideRowsOfPage({ rows, keys }, query, (ids) => wide(db, ids)),
  ]);
  return page && { ...total, ...page };
}

function matching(db: StoreDb, { memberGroup, search, groups, plan, overheadPercent }: NetflowDeviceQuery) {
  let rows = seen(db, memberGroup);
  const found = searchIn(['device.name', 'device.plate', 'device.device_id'], search);
  if (found !== undefined) rows = rows.where(found);
  if (groups !== undefined) rows = rows.where('device.device_group', 'in', groups.length === 0 ? [-1] : [...groups]);
  return plan === undefined ? rows : rows.where(withPlan(plan, overheadPercent));
}

function withPlan(plan: NonNullable<NetflowDeviceQuery['plan']>, overheadPercent: number): RawBuilder<SqlBool> {
  const factor = sql.lit(1 + overheadPercent / 100);
  const used = sql`${USED} * ${factor}`;
  const allowed = sql`sim_plan.megabytes * 1000000.0`;
  const over = sql`(${used} >= ${allowed})`;
  const near = sql`(${used} >= ${allowed} * 0.8 or coalesce(netflow_device.forecast_bytes, 0) * ${factor} > ${allowed})`;
  switch (plan) {
    case 'none':
      return sql`sim_plan.id is null`;
    case 'over':
      return sql`sim_plan.id is not null and ${over}`;
    case 'near':
      return sql`sim_plan.id is not null and ${near} and not ${over}`;
    case 'within':
      return sql`sim_plan.id is not null and not ${near} and not ${over}`;
  }
}

type Ids = Parameters<Parameters<typeof wideRowsOfPage<{ device_id: string }, NetflowDeviceRow>>[2]>[0];

function wide(db: StoreDb, ids: Ids | ReturnType<typeof idsOf>) {
  const page = 'as' in ids ? ids.as('page') : ids;
  return db
    .selectFrom('device')
    .innerJoin(page as Ids, 'page.device_id', 'device.device_id')
    .leftJoin('device_group', 'device_group.serialno', 'device.device_group')
    .leftJoin('netflow_device', 'netflow_device.incarnation', 'device.incarnation')
    .leftJoin('device_sim', 'device_sim.incarnation', 'device.incarnation')
    .leftJoin('sim_plan', 'sim_plan.id', 'device_sim.plan')
    .leftJoin('terminal_attributes', 'terminal_attributes.incarnation', 'device.incarnation')
    .select(['device.incarnation', 'device.device_id', 'device.name', 'device.plate', 'device.device_group'])
    .select(['device.time_zone', 'device_group.name as group_name', 'netflow_device.from_ms', 'netflow_device.to_ms'])
    .select(['netflow_device.received_bytes', 'netflow_device.sent_bytes', 'netflow_device.kinds'])
    .select(['netflow_device.today_bytes', 'netflow_device.forecast_bytes', 'sim_plan.id as plan'])
    .select(['sim_plan.name as plan_name', 'sim_plan.megabytes', 'sim_plan.reset_day', 'sim_plan.action'])
    .select(['sim_plan.time_zone as plan_time_zone', 'device_sim.lifted_until_ms', 'device_sim.lifted_by'])
    .select(['device_sim.number', 'device_sim.iccid', 'device_sim.expiry_day', 'device_sim.version as sim_version'])
    .select('terminal_attributes.iccid as reported_iccid');
}

const idsOf = (db: StoreDb) => seen(db, 0).select('device.device_id');

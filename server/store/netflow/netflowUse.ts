// Data usage as it is counted and written. The only module that writes `netflow_device`.
import type { Selectable } from 'kysely';
import { NETFLOW_KINDS, PLAN_ACTIONS, type PlanAction } from '../../../shared/protocol/netflow/netflowWords.ts';
import type { StoreDb } from '../engine/database.ts';
import { type HourUse, removeDaysBefore, removeHoursBefore, writeHours } from './netflowHours.ts';
import { lockSums, placeSome } from './netflowSums.ts';
import type { NetflowDeviceTable } from './tables.ts';
import { removeWithheldBefore, type WithheldRow, writeWithheld } from './withheldTimes.ts';

export interface DeviceUseRow {
  readonly incarnation: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly receivedBytes: number;
  readonly sentBytes: number;
  /** Both ways. */
  readonly kinds: readonly number[];
  /** Since 1970, in the device's time zone. */
  readonly today: number;
  readonly todayBytes: number;
  readonly forecastBytes: number | null;
  readonly days: readonly (readonly [day: number, bytes: number])[];
}

/** A device that is there, its plan, and what was written of it last. */
export interface MeteredDevice {
  readonly incarnation: number;
  readonly deviceId: string;
  readonly archiveNumber: number;
  readonly timeZone: string;
  /** 0: none. */
  readonly plan: number;
  readonly megabytes: number;
  readonly resetDay: number;
  readonly planTimeZone: string;
  readonly action: PlanAction;
  readonly liftedUntilMs: number;
  readonly toldFromMs: number;
  readonly toldPercent: number;
  readonly toldForecast: boolean;
  /** Member groups that see it. */
  readonly memberGroups: readonly number[];
}

export interface ToldRow {
  readonly incarnation: number;
  readonly fromMs: number;
  readonly percent: number;
  readonly forecast: boolean;
}

export interface PeriodSum {
  readonly received: number[];
  readonly sent: number[];
}

export interface NetflowUseStore {
  devices(): Promise<MeteredDevice[]>;
  deviceRows(): Promise<DeviceUseRow[]>;
  /** Hours that begin then or later. */
  hoursFrom(hourMs: number): Promise<HourUse[]>;
  /** What devices have used in hours that begin then or later, by incarnation: of each device that is asked for, in numbers that the caller may add to. */
  sumsSince(incarnations: readonly number[], fromMs: number): Promise<ReadonlyMap<number, PeriodSum>>;
  /** Devices that are gone are left out. */
  write(hours: readonly HourUse[], devices: readonly DeviceUseRow[], withheld?: readonly WithheldRow[]): Promise<void>;
  noteTold(told: readonly ToldRow[]): Promise<void>;
  /** Hours that began before. Their days stay. */
  removeHoursBefore(hourMs: number): Promise<void>;
  /** `day`: YYYYMMDD. */
  removeDaysBefore(day: number): Promise<void>;
  /** Brings some devices that are new, or no longer where they were, into the sums by device group. False once all are. */
  placeSome(): Promise<boolean>;
  /** Times without video that ended before. */
  removeWithheldBefore(toMs: number): Promise<void>;
}

const ROWS_A_STATEMENT = 500;

export function createNetflowUseStore(db: StoreDb, reading: StoreDb): NetflowUseStore {
  return {
    devices: () => meteredDevices(db),
    deviceRows: async () => (await reading.selectFrom('netflow_device').selectAll().execute()).map(toDeviceRow),
    hoursFrom: async (hourMs) => {
      const rows = await db.selectFrom('netflow_hour').selectAll().where('hour_ms', '>=', hourMs).execute();
      return groupHours(rows);
    },
    sumsSince: (incarnations, fromMs) => sumsSince(db, incarnations, fromMs),
    write: (hours, devices, withheld = []) =>
      db.transaction().execute(async (work) => {
        await lockSums(work);
        await writeHours(work, hours);
        const known = await existing(work, [...devices, ...withheld]);
        await writeDevices(
          work,
          devices.filter(({ incarnation }) => known.has(incarnation)),
        );
        await writeWithheld(
          work,
          withheld.filter(({ incarnation }) => known.has(incarnation)),
        );
      }),
    noteTold: async (told) => {
      for (const { incarnation, fromMs, percent, forecast } of told) {
        const values = { told_from_ms: fromMs, told_percent: percent, told_forecast: forecast ? 1 : 0 };
        await db.updateTable('device_sim').set(values).where('incarnation', '=', incarnation).execute();
      }
    },
    removeHoursBefore: (hourMs) => removeHoursBefore(db, hourMs),
    removeWithheldBefore: (toMs) => removeWithheldBefore(db, toMs),
    removeDaysBefore: (day) => removeDaysBefore(db, day),
    placeSome: () => placeSome(db, reading),
  };
}

async function meteredDevices(db: StoreDb): Promise<MeteredDevice[]> {
  const [rows, owners] = await Promise.all([
    db
      .selectFrom('device')
      .leftJoin('device_sim', 'device_sim.incarnation', 'device.incarnation')
      .leftJoin('sim_plan', 'sim_plan.id', 'device_sim.plan')
      .select(['device.incarnation', 'device.device_id', 'device.archive_number', 'device.time_zone'])
      .select(['device.device_group', 'device_sim.lifted_until_ms', 'device_sim.told_from_ms'])
      .select(['device_sim.told_percent', 'device_sim.told_forecast', 'sim_plan.id as plan', 'sim_plan.megabytes'])
      .select(['sim_plan.reset_day', 'sim_plan.time_zone as plan_time_zone', 'sim_plan.action'])
      .execute(),
    db.selectFrom('member_group_device_group').selectAll().execute(),
  ]);
  const groups = new Map<number, number[]>();
  for (const { device_group, member_group } of owners) {
    groups.set(device_group, [...(groups.get(device_group) ?? []), member_group]);
  }
  return rows.map((row) => ({
    incarnation: row.incarnation,
    deviceId: row.device_id,
    archiveNumber: row.archive_number,
    timeZone: row.time_zone,
    plan: row.plan ?? 0,
    megabytes: row.megabytes ?? 0,
    resetDay: row.reset_day ?? 1,
    planTimeZone: row.plan_time_zone ?? row.time_zone,
    action: actionOf(row.action),
    liftedUntilMs: row.lifted_until_ms ?? 0,
    toldFromMs: row.told_from_ms ?? 0,
    toldPercent: row.told_percent ?? 0,
    toldForecast: row.told_forecast === 1,
    memberGroups: (row.device_group === null ? undefined : groups.get(row.device_group)) ?? [],
  }));
}

export function actionOf(text: string | null): PlanAction {
  return PLAN_ACTIONS.find((action) => action === text) ?? 'none';
}

interface UseRow {
  readonly incarnation: number;
  readonly hour_ms: number;
  readonly kind: number;
  readonly received_bytes: number;
  readonly sent_bytes: number;
}

function groupHours(rows: readonly UseRow[]): HourUse[] {
  const hours = new Map<string, HourUse & { readonly received: number[]; readonly sent: number[] }>();
  for (const row of rows) {
    const key = `${row.incarnation}/${row.hour_ms}`;
    const hour = hours.get(key) ?? {
      incarnation: row.incarnation,
      hourMs: row.hour_ms,
      received: zeros(),
      sent: zeros(),
    };
    hours.set(key, hour);
    hour.received[row.kind] = row.received_bytes;
    hour.sent[row.kind] = row.sent_bytes;
  }
  return [...hours.values()];
}

function zeros(): number[] {
  return NETFLOW_KINDS.map(() => 0);
}

async function sumsSince(
  db: StoreDb,
  incarnations: readonly number[],
  fromMs: number,
): Promise<Map<number, PeriodSum>> {
  const noSum = (): PeriodSum => ({ received: zeros(), sent: zeros() });
  const sums = new Map(incarnations.map((incarnation) => [incarnation, noSum()]));
  for (let at = 0; at < incarnations.length; at += ROWS_A_STATEMENT) {
    const rows = await db
      .selectFrom('netflow_hour')
      .select(['incarnation', 'kind'])
      .select(({ fn }) => [fn.sum<number>('received_bytes').as('received'), fn.sum<number>('sent_bytes').as('sent')])
      .where('incarnation', 'in', incarnations.slice(at, at + ROWS_A_STATEMENT))
      .where('hour_ms', '>=', fromMs)
      .groupBy(['incarnation', 'kind'])
      .execute();
    for (const row of rows) {
      const sum = sums.get(row.incarnation) ?? noSum();
      sum.received[row.kind] = Number(row.received);
      sum.sent[row.kind] = Number(row.sent);
    }
  }
  return sums;
}

async function existing(
  work: StoreDb,
  rows: readonly { readonly incarnation: number }[],
): Promise<ReadonlySet<number>> {
  const wanted = [...new Set(rows.map(({ incarnation }) => incarnation))];
  const known = new Set<number>();
  for (let at = 0; at < wanted.length; at += ROWS_A_STATEMENT) {
    const part = wanted.slice(at, at + ROWS_A_STATEMENT);
    const found = work.selectFrom('device_incarnation').select('incarnation').where('incarnation', 'in', part);
    for (const { incarnation } of await found.execute()) known.add(incarnation);
  }
  return known;
}

async function writeDevices(work: StoreDb, devices: readonly DeviceUseRow[]): Promise<void> {
  const rows = devices.map((device) => ({
    incarnation: device.incarnation,
    from_ms: device.fromMs,
    to_ms: device.toMs,
    received_bytes: device.receivedBytes,
    sent_bytes: device.sentBytes,
    kinds: JSON.stringify(device.kinds),
    today: device.today,
    today_bytes: device.todayBytes,
    forecast_bytes: device.forecastBytes ?? -1,
    days: JSON.stringify(device.days),
  }));
  for (let at = 0; at < rows.length; at += ROWS_A_STATEMENT) {
    await work
      .insertInto('netflow_device')
      .values(rows.slice(at, at + ROWS_A_STATEMENT))
      .onConflict((conflict) =>
        conflict.column('incarnation').doUpdateSet((is) => ({
          from_ms: is.ref('excluded.from_ms'),
          to_ms: is.ref('excluded.to_ms'),
          received_bytes: is.ref('excluded.received_bytes'),
          sent_bytes: is.ref('excluded.sent_bytes'),
          kinds: is.ref('excluded.kinds'),
          today: is.ref('excluded.today'),
          today_bytes: is.ref('excluded.today_bytes'),
          forecast_bytes: is.ref('excluded.forecast_bytes'),
          days: is.ref('excluded.days'),
        })),
      )
      .execute();
  }
}

function toDeviceRow(row: Selectable<NetflowDeviceTable>): DeviceUseRow {
  return {
    incarnation: row.incarnation,
    fromMs: row.from_ms,
    toMs: row.to_ms,
    receivedBytes: row.received_bytes,
    sentBytes: row.sent_bytes,
    kinds: JSON.parse(row.kinds) as number[],
    today: row.today,
    todayBytes: row.today_bytes,
    forecastBytes: row.forecast_bytes < 0 ? null : row.forecast_bytes,
    days: JSON.parse(row.days) as [number, number][],
  };
}

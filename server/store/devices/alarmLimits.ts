// The only module that knows `device_alarm_limit`: the limits that administrators have set in terminals, and those that terminals report.
import type { Selectable } from 'kysely';
import type { OrderState } from '../../../shared/protocol/api/deviceOrders.ts';
import {
  ALARM_LIMIT_STATES,
  type AlarmLimitState,
  type AlarmLimits,
} from '../../../shared/protocol/api/eventConfig.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import { storableText } from '../../limits/storableText.ts';
import type { StoreDb } from '../engine/database.ts';
import type { AlarmLimitTable } from './tables.ts';

export interface StoredAlarmLimits {
  readonly deviceId: string;
  /** Undefined where nothing was written. */
  readonly wanted: Partial<AlarmLimits> | undefined;
  readonly state: AlarmLimitState;
  /** Version of what is wanted; 0: nothing was written. */
  readonly version: number;
  /** Username at that time. */
  readonly writtenBy: string;
  readonly writtenAtMs: WallMs;
  /** Undefined until the terminal has said. */
  readonly reported: Partial<AlarmLimits> | undefined;
  readonly reportedAtMs: WallMs;
}

/** The device as it was when the call came in: another one may have the id by now. */
export interface LimitedDevice {
  readonly deviceId: string;
  readonly incarnation: number;
}

export interface WantedLimits {
  readonly wanted: Partial<AlarmLimits>;
  /** One more than the version that was wanted before. */
  readonly version: number;
  readonly by: string;
  readonly atMs: WallMs;
}

export interface LimitsReport {
  readonly reported: Partial<AlarmLimits>;
  readonly atMs: WallMs;
}

export interface AlarmLimitStore {
  find(deviceId: string): Promise<StoredAlarmLimits | undefined>;
  /** Devices whose terminals have taken what was wanted, as far as is known, and must be asked for their present limits. */
  unconfirmed(): Promise<string[]>;
  /**
   * Wanted limits that still wait although the order to set them has ended or doesn't exist. `reason`: the reason that such orders have.
   */
  waitingWithoutOrder(reason: string): Promise<LostLimits[]>;
  /** Sets the wanted limits, which wait for the terminal unless there are none. Does nothing when the device is gone. */
  want(device: LimitedDevice, wanted: WantedLimits): Promise<void>;
  /** Changes the state only while this version is wanted and in one of the states `from`. */
  setState(device: LimitedDevice, version: number, change: StateChange): Promise<void>;
  /** Does nothing when the device is gone. */
  report(device: LimitedDevice, report: LimitsReport): Promise<void>;
}

export interface LostLimits {
  readonly device: LimitedDevice;
  readonly version: number;
  /** State in which the order ended; undefined: there is none. */
  readonly orderState: OrderState | undefined;
}

export interface StateChange {
  readonly from: readonly AlarmLimitState[];
  readonly to: AlarmLimitState;
}

export function createAlarmLimitStore(db: StoreDb): AlarmLimitStore {
  const ofDevice = ({ deviceId, incarnation }: LimitedDevice) =>
    db.updateTable('device_alarm_limit').where('device_id', '=', deviceId).where('incarnation', '=', incarnation);
  return {
    find: async (deviceId) => {
      const row = db.selectFrom('device_alarm_limit').selectAll().where('device_id', '=', deviceId);
      const found = await row.executeTakeFirst();
      return found === undefined ? undefined : toLimits(found);
    },
    unconfirmed: async () => {
      const rows = db.selectFrom('device_alarm_limit').select('device_id').where('state', '=', 'sent');
      return (await rows.orderBy('device_id').execute()).map((row) => row.device_id);
    },
    waitingWithoutOrder: (reason) => waitingWithoutOrder(db, reason),
    want: (device, { wanted, version, by, atMs }) =>
      change(db, device, {
        wanted: JSON.stringify(wanted),
        state: Object.keys(wanted).length === 0 ? 'none' : 'waiting',
        version,
        written_by: storableText(by),
        written_at_ms: atMs,
      }),
    setState: async (device, version, { from, to }) => {
      const wanted = ofDevice(device).where('version', '=', version).where('state', 'in', from);
      await wanted.set({ state: to }).execute();
    },
    report: (device, { reported, atMs }) =>
      change(db, device, { reported: JSON.stringify(reported), reported_at_ms: atMs }),
  };
}

async function waitingWithoutOrder(db: StoreDb, reason: string): Promise<LostLimits[]> {
  const rows = await db
    .selectFrom('device_alarm_limit as wanted')
    .leftJoin('device_order as sent', (join) =>
      join
        .onRef('sent.incarnation', '=', 'wanted.incarnation')
        .onRef('sent.reference', '=', 'wanted.version')
        .on('sent.reason', '=', reason),
    )
    .select(['wanted.device_id', 'wanted.incarnation', 'wanted.version', 'sent.state as order_state'])
    .where('wanted.state', '=', 'waiting')
    .where((is) => is.or([is('sent.id', 'is', null), is('sent.finished_at_ms', '>', 0)]))
    .orderBy('wanted.device_id')
    .orderBy('sent.id')
    .execute();
  return rows.map((row) => ({
    device: { deviceId: row.device_id, incarnation: row.incarnation },
    version: row.version,
    // Only the store of orders writes it.
    orderState: (row.order_state as OrderState | null) ?? undefined,
  }));
}

type Columns = Partial<Omit<Selectable<AlarmLimitTable>, 'device_id' | 'incarnation'>>;

/** Writes the device's row, adding it if necessary. The row in `device` is locked first, so that it can't be deleted meanwhile. */
function change(db: StoreDb, { deviceId, incarnation }: LimitedDevice, columns: Columns): Promise<void> {
  return db.transaction().execute(async (work) => {
    const device = work.updateTable('device').set({ device_id: deviceId }).where('device_id', '=', deviceId);
    const there = await device.where('incarnation', '=', incarnation).returning('device_id').executeTakeFirst();
    if (there === undefined) return;
    const row = { device_id: deviceId, incarnation, state: 'none', ...columns };
    const insert = work.insertInto('device_alarm_limit').values(row);
    await insert.onConflict((conflict) => conflict.column('device_id').doUpdateSet(columns)).execute();
  });
}

function toLimits(row: Selectable<AlarmLimitTable>): StoredAlarmLimits {
  return {
    deviceId: row.device_id,
    wanted: row.wanted === '' ? undefined : (JSON.parse(row.wanted) as Partial<AlarmLimits>),
    state: ALARM_LIMIT_STATES.find((state) => state === row.state) ?? 'none',
    version: row.version,
    writtenBy: row.written_by,
    writtenAtMs: wallMs(row.written_at_ms),
    reported: row.reported === '' ? undefined : (JSON.parse(row.reported) as Partial<AlarmLimits>),
    reportedAtMs: wallMs(row.reported_at_ms),
  };
}

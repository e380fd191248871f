// The only module that knows `terminal_area`: the fences that terminals have, and those on their way into and out of them.
import type { Selectable } from 'kysely';
import type { OrderState } from '../../../shared/protocol/api/deviceOrders.ts';
import {
  FENCE_KINDS,
  type FenceKind,
  TERMINAL_AREA_NOTES,
  TERMINAL_AREA_STATES,
  type TerminalAreaNote,
  type TerminalAreaState,
} from '../../../shared/protocol/fences/fenceWords.ts';
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';
import type { TerminalAreaTable } from './tables.ts';

export interface AreaDevice {
  readonly deviceId: string;
  readonly incarnation: number;
}

export interface StoredArea {
  readonly fence: number;
  readonly device: AreaDevice;
  readonly kind: FenceKind;
  /** False: it should be removed. */
  readonly isWanted: boolean;
  readonly fenceVersion: number;
  readonly state: TerminalAreaState;
  readonly note: TerminalAreaNote;
  /** 0: none yet. */
  readonly orderId: number;
  readonly changedAtMs: WallMs;
}

export interface AreaChange {
  readonly state: TerminalAreaState;
  readonly note: TerminalAreaNote;
  readonly atMs: number;
}

export interface LostAreaOrder {
  readonly orderId: number;
  /** State in which the order ended; undefined: there is none. */
  readonly state: OrderState | undefined;
  readonly result: number | undefined;
}

export interface TerminalAreaStore {
  find(fence: number, device: AreaDevice): Promise<StoredArea | undefined>;
  /** Undefined: no area belongs to this order. */
  findByOrder(orderId: number): Promise<StoredArea | undefined>;
  ofFence(fence: number): Promise<StoredArea[]>;
  ofDevice(device: AreaDevice): Promise<StoredArea[]>;
  /** Replaces the area that was there. Does nothing when the device is gone. */
  put(area: StoredArea): Promise<void>;
  /** Changes the state only while the area still belongs to this order. */
  setState(area: Pick<StoredArea, 'fence' | 'device' | 'orderId'>, change: AreaChange): Promise<void>;
  remove(area: Pick<StoredArea, 'fence' | 'device' | 'orderId'>): Promise<void>;
  /** Devices whose terminals have taken or lost an area, as far as is known, and must be asked. */
  unconfirmed(): Promise<string[]>;
  /** Orders of areas that still wait although their order has ended or doesn't exist. */
  waitingWithoutOrder(): Promise<LostAreaOrder[]>;
  /** Areas wanted in terminals whose device has left the fence's member group, or whose fence is gone. */
  strays(limit: number): Promise<StoredArea[]>;
  /** Removes the areas of former devices whose ids other devices have now. */
  forgetFormer(): Promise<void>;
}

const WAITING: readonly TerminalAreaState[] = ['waiting', 'removing'];

export function createTerminalAreaStore(db: StoreDb): TerminalAreaStore {
  const rows = () => db.selectFrom('terminal_area').selectAll('terminal_area');
  const ofDevice = ({ deviceId, incarnation }: AreaDevice) =>
    rows().where('device_id', '=', deviceId).where('incarnation', '=', incarnation);
  return {
    find: async (fence, device) => toArea(await ofDevice(device).where('fence', '=', fence).executeTakeFirst()),
    findByOrder: async (orderId) => toArea(await rows().where('order_id', '=', orderId).executeTakeFirst()),
    ofFence: async (fence) => toAreas(await rows().where('fence', '=', fence).orderBy('device_id').execute()),
    ofDevice: async (device) => toAreas(await ofDevice(device).orderBy('fence').execute()),
    put: (area) => putArea(db, area),
    setState: async ({ fence, device, orderId }, { state, note, atMs }) => {
      const set = { state: stateNumber(state), note, changed_at_ms: atMs };
      const area = db.updateTable('terminal_area').set(set).where('fence', '=', fence);
      await area.where('device_id', '=', device.deviceId).where('order_id', '=', orderId).execute();
    },
    remove: async ({ fence, device, orderId }) => {
      const area = db.deleteFrom('terminal_area').where('fence', '=', fence);
      await area.where('device_id', '=', device.deviceId).where('order_id', '=', orderId).execute();
    },
    unconfirmed: async () => {
      const some = db.selectFrom('terminal_area').select('device_id').distinct();
      const found = await some.where('state', '=', stateNumber('sent')).orderBy('device_id').execute();
      return found.map((row) => row.device_id);
    },
    waitingWithoutOrder: () => waitingWithoutOrder(db),
    strays: async (limit) => toAreas(await strays(db, limit)),
    forgetFormer: async () => {
      const former = db
        .deleteFrom('terminal_area')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('device')
                .select('device.device_id')
                .whereRef('device.device_id', '=', 'terminal_area.device_id')
                .whereRef('device.incarnation', '=', 'terminal_area.incarnation'),
            ),
          ),
        );
      await former.execute();
    },
  };
}

/** The device's row is locked first, so that it can't be deleted meanwhile. */
function putArea(db: StoreDb, area: StoredArea): Promise<void> {
  const { deviceId, incarnation } = area.device;
  return db.transaction().execute(async (work) => {
    const device = work.updateTable('device').set({ device_id: deviceId }).where('device_id', '=', deviceId);
    const there = await device.where('incarnation', '=', incarnation).returning('device_id').executeTakeFirst();
    if (there === undefined) return;
    const columns = {
      incarnation,
      kind: FENCE_KINDS.indexOf(area.kind),
      wanted: area.isWanted ? 1 : 0,
      fence_version: area.fenceVersion,
      state: stateNumber(area.state),
      note: area.note,
      order_id: area.orderId,
      changed_at_ms: area.changedAtMs,
    };
    const insert = work.insertInto('terminal_area').values({ fence: area.fence, device_id: deviceId, ...columns });
    await insert.onConflict((conflict) => conflict.columns(['fence', 'device_id']).doUpdateSet(columns)).execute();
  });
}

async function waitingWithoutOrder(db: StoreDb): Promise<LostAreaOrder[]> {
  const rows = await db
    .selectFrom('terminal_area as area')
    .leftJoin('device_order as sent', 'sent.id', 'area.order_id')
    .select(['area.order_id', 'sent.state as order_state', 'sent.result'])
    .where('area.state', 'in', WAITING.map(stateNumber))
    .where((is) => is.or([is('sent.id', 'is', null), is('sent.finished_at_ms', '>', 0)]))
    .execute();
  return rows.map((row) => ({
    orderId: row.order_id,
    // Only the store of orders writes it.
    state: (row.order_state as OrderState | null) ?? undefined,
    result: row.result ?? undefined,
  }));
}

function strays(db: StoreDb, limit: number): Promise<Selectable<TerminalAreaTable>[]> {
  return db
    .selectFrom('terminal_area')
    .selectAll('terminal_area')
    .where('wanted', '=', 1)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('fence')
            .innerJoin('member_group_device_group as owns', 'owns.member_group', 'fence.member_group')
            .innerJoin('device', 'device.device_group', 'owns.device_group')
            .select('fence.id')
            .whereRef('fence.id', '=', 'terminal_area.fence')
            .whereRef('device.device_id', '=', 'terminal_area.device_id'),
        ),
      ),
    )
    .orderBy('fence')
    .orderBy('device_id')
    .limit(limit)
    .execute();
}

function stateNumber(state: TerminalAreaState): number {
  return TERMINAL_AREA_STATES.indexOf(state);
}

function toAreas(rows: readonly Selectable<TerminalAreaTable>[]): StoredArea[] {
  return rows.flatMap((row) => toArea(row) ?? []);
}

function toArea(row: Selectable<TerminalAreaTable> | undefined): StoredArea | undefined {
  return (
    row && {
      fence: row.fence,
      device: { deviceId: row.device_id, incarnation: row.incarnation },
      kind: FENCE_KINDS[row.kind] ?? 'polygon',
      isWanted: row.wanted !== 0,
      fenceVersion: row.fence_version,
      state: TERMINAL_AREA_STATES[row.state] ?? 'waiting',
      note: TERMINAL_AREA_NOTES.find((note) => note === row.note) ?? '',
      orderId: row.order_id,
      changedAtMs: wallMs(row.changed_at_ms),
    }
  );
}

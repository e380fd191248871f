// A row of everything that is made of a device's reports.
import type { StoreDb } from '../../../../server/store/engine/database.ts';
import { createStores } from '../../../../server/store/stores.ts';

export const TRACE_TABLES = [
  'presence_session',
  'trip',
  'stop',
  'track_gap',
  'track_day',
  'driver_session',
  'passenger_count',
  'fence_visit',
  'device_clock',
  'fence_state',
] as const;

/** `toMs` 0: it goes on. */
export async function addTraces(
  db: StoreDb,
  incarnation: number,
  span: { readonly fromMs: number; readonly toMs: number },
): Promise<void> {
  const { fromMs, toMs } = span;
  const times = { incarnation, from_ms: fromMs, to_ms: toMs };
  const clocked = { ...times, clock_offset_ms: 0 };
  const day = new Date(fromMs);
  const localDay = day.getUTCFullYear() * 10_000 + (day.getUTCMonth() + 1) * 100 + day.getUTCDate();
  const fence = await addFence(db);
  await db
    .insertInto('presence_session')
    .values({ ...times, seen_at_ms: fromMs })
    .execute();
  await db
    .insertInto('trip')
    .values({
      ...clocked,
      driver: '',
      is_open: 0,
      from_latitude: 0,
      from_longitude: 0,
      to_latitude: 0,
      to_longitude: 0,
      metres: 0,
      is_odometer: 0,
      moving_ms: 0,
      idle_ms: 0,
      max_speed_kmh: 0,
      mean_speed_kmh: 0,
      odometer_from_km: null,
      odometer_to_km: null,
      fuel_liters: null,
    })
    .execute();
  const place = { latitude: 0, longitude: 0 };
  await db
    .insertInto('stop')
    .values({ ...clocked, ...place, is_open: 0, idle_ms: 0 })
    .execute();
  await db.insertInto('track_gap').values(times).execute();
  const sums = { metres: 0, is_odometer: 0, moving_ms: 0, idle_ms: 0, ignition_ms: 0, stops: 0, max_speed_kmh: 0 };
  const kept = { points: 0, begin_ms: fromMs, state: '' };
  await db
    .insertInto('track_day')
    .values({ ...sums, ...kept, incarnation, local_day: localDay })
    .execute();
  const card = { name: '', licence: '', issuer: '', valid_until: '', read_result: 0 };
  await db
    .insertInto('driver_session')
    .values({ ...card, incarnation, in_ms: fromMs, out_ms: toMs })
    .execute();
  await db
    .insertInto('passenger_count')
    .values({ ...times, boarded: 1, alighted: 0 })
    .execute();
  await db
    .insertInto('fence_visit')
    .values({ ...clocked, fence, fence_name: '', member_group: 1 })
    .execute();
  await db.insertInto('device_clock').values({ incarnation, device_from_ms: fromMs, offset_ms: 0 }).execute();
  const state = { is_inside: 1, since_ms: fromMs, device_since_ms: fromMs };
  await db
    .insertInto('fence_state')
    .values({ ...state, incarnation, fence })
    .execute();
}

async function addFence(db: StoreDb): Promise<number> {
  const { memberGroups } = createStores(db);
  const { length } = await db.selectFrom('member_group').select('serialno').execute();
  const memberGroup = await memberGroups.insert({ name: `group ${length}` });
  const { id } = await db
    .insertInto('fence')
    .values({
      member_group: memberGroup,
      name: '',
      name_key: '',
      kind: 1,
      enabled: 1,
      content: '{}',
      changed_at_ms: 0,
      changed_by: '',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function tracesLeft(db: StoreDb): Promise<Record<string, number>> {
  const left: Record<string, number> = {};
  for (const table of TRACE_TABLES) left[table] = (await db.selectFrom(table).select('incarnation').execute()).length;
  return left;
}

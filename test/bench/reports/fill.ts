// A month of a fleet: positions as packing leaves them, with the trips and days that are worked out of them. Every vehicle drives the
// same way, so that it is packed once.
import type { Insertable } from 'kysely';
import type { StoreDb } from '../../../server/store/engine/database.ts';
import { splitPositions } from '../../../server/store/fleet/blocks/splitting.ts';
import type { StoredPosition } from '../../../server/store/fleet/blocks/storedPosition.ts';
import { createStores } from '../../../server/store/stores.ts';
import type { TrackDayTable, TripTable } from '../../../server/store/tracks/tables.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { dayNumber } from '../../../shared/protocol/timeZones.ts';
import { fenceContent } from '../../support/fences.ts';
import { drivenPositions } from '../../support/storedPositions.ts';
import { blockOf } from '../blocksOfVehicle.ts';

const DAYS = 31;
export const FROM_MS = Date.UTC(2026, 9, 1);
export const TO_MS = FROM_MS + DAYS * 86_400_000;
const TRIPS_A_VEHICLE = 200;
export const POSITIONS_A_VEHICLE = 10_000;
const POSITIONS_A_TRIP = POSITIONS_A_VEHICLE / TRIPS_A_VEHICLE;
const STEP_MS = 10_000;
const TRIP_EVERY_MS = (TO_MS - FROM_MS) / TRIPS_A_VEHICLE;
const TRIP_MS = POSITIONS_A_TRIP * STEP_MS;
/** Places of trips are named by them. */
const FENCES = 200;
const FENCES_A_ROW = 20;
const VEHICLES_A_STATEMENT = 5;
/** SQLite takes 32,766 parameters. */
const ROWS_A_STATEMENT = 1_000;

export interface FilledFleet {
  readonly userId: number;
  readonly memberGroup: number;
  readonly incarnations: readonly number[];
}

export async function fillFleet(db: StoreDb, vehicles: number): Promise<FilledFleet> {
  const stores = createStores(db);
  const deviceGroup = await stores.deviceGroups.insert('North');
  const memberGroup = await stores.memberGroups.insert({ name: 'Depot' });
  await stores.memberGroups.setDeviceGroups(memberGroup, [deviceGroup]);
  const userId = await stores.users.insert(
    { username: 'bench', passwordHash: '', permissions: ['report'] },
    wallMs(FROM_MS),
  );
  await addFences(db, memberGroup);
  const incarnations: number[] = [];
  for (let number = 0; number < vehicles; number++) {
    const deviceId = `D${number}`;
    const { incarnation } = await stores.devices.insert({ deviceId, name: `Vehicle ${number}`, chn: 1, deviceGroup });
    incarnations.push(incarnation);
  }
  const positions = monthOfPositions();
  const blocks = await Promise.all(splitPositions(positions, true).map(blockOf));
  for (let start = 0; start < vehicles; start += VEHICLES_A_STATEMENT) {
    const part = incarnations.slice(start, start + VEHICLES_A_STATEMENT);
    await db.transaction().execute(async (work) => {
      await work
        .insertInto('position_block')
        .values(part.flatMap((incarnation) => blocks.map((block) => ({ ...block, incarnation }))))
        .execute();
      const trips = part.flatMap((incarnation) => tripsOf(incarnation, positions));
      for (let at = 0; at < trips.length; at += ROWS_A_STATEMENT) {
        await work
          .insertInto('trip')
          .values(trips.slice(at, at + ROWS_A_STATEMENT))
          .execute();
      }
      await work.insertInto('track_day').values(part.flatMap(daysOf)).execute();
    });
  }
  return { userId, memberGroup, incarnations };
}

/** Drives of eight minutes all over the month. */
function monthOfPositions(): StoredPosition[] {
  return drivenPositions(POSITIONS_A_VEHICLE, FROM_MS).map((position, at) => {
    const deviceTimeMs =
      FROM_MS + Math.floor(at / POSITIONS_A_TRIP) * TRIP_EVERY_MS + (at % POSITIONS_A_TRIP) * STEP_MS;
    return { ...position, id: at + 1, deviceTimeMs, receivedAtMs: deviceTimeMs + 500 };
  });
}

function tripsOf(incarnation: number, positions: readonly StoredPosition[]): Insertable<TripTable>[] {
  return Array.from({ length: TRIPS_A_VEHICLE }, (_, trip) => {
    const first = positions[trip * POSITIONS_A_TRIP];
    const last = positions[(trip + 1) * POSITIONS_A_TRIP - 1];
    return {
      incarnation,
      driver: `Driver ${(incarnation * 7 + trip) % 300}`,
      from_ms: first?.deviceTimeMs ?? 0,
      to_ms: last?.deviceTimeMs ?? 0,
      clock_offset_ms: 0,
      is_open: 0,
      from_latitude: first?.latitude ?? 0,
      from_longitude: first?.longitude ?? 0,
      to_latitude: last?.latitude ?? 0,
      to_longitude: last?.longitude ?? 0,
      metres: 5_000 + trip,
      is_odometer: 1,
      moving_ms: TRIP_MS - 60_000,
      idle_ms: 60_000,
      max_speed_kmh: 71.5,
      mean_speed_kmh: 40.25,
      odometer_from_km: first?.mileageKm ?? null,
      odometer_to_km: last?.mileageKm ?? null,
      fuel_liters: 0.7,
    };
  });
}

function daysOf(incarnation: number): Insertable<TrackDayTable>[] {
  return Array.from({ length: DAYS }, (_, day) => ({
    incarnation,
    local_day: dayNumber(FROM_MS + day * 86_400_000, 'UTC'),
    metres: 32_000 + day,
    is_odometer: 1,
    moving_ms: 45 * 60_000,
    idle_ms: 6 * 60_000,
    ignition_ms: 53 * 60_000,
    stops: 6,
    max_speed_kmh: 71.5,
    points: Math.round(POSITIONS_A_VEHICLE / DAYS),
    begin_ms: FROM_MS + day * 86_400_000,
    state: '{}',
  }));
}

/** Side by side where the vehicles drive. */
async function addFences(db: StoreDb, memberGroup: number): Promise<void> {
  const rows = Array.from({ length: FENCES }, (_, at) => {
    const [west, south] = [121.3 + Math.floor(at / FENCES_A_ROW) * 0.03, 24.8 + (at % FENCES_A_ROW) * 0.03];
    const [east, north] = [west + 0.02, south + 0.02];
    const ring = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ] as const;
    const name = `Area ${at}`;
    const {
      name: _name,
      enabled: _enabled,
      ...content
    } = fenceContent({
      geometry: { type: 'Polygon', coordinates: [ring] },
    });
    return {
      member_group: memberGroup,
      name,
      name_key: name.toLowerCase(),
      kind: 0,
      enabled: 1,
      vertices: ring.length,
      content: JSON.stringify(content),
      changed_at_ms: FROM_MS,
      changed_by: 'bench',
    };
  });
  await db.insertInto('fence').values(rows).execute();
}

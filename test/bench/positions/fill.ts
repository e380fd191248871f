// A database with old positions of some vehicles, as they come: those of all vehicles of a moment side by side.
import type { StoreDb } from '../../../server/store/engine/database.ts';
import type { Position } from '../../../server/store/fleet/positions.ts';
import { createStores } from '../../../server/store/stores.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { drivenPositions } from '../../support/storedPositions.ts';

const VEHICLES = 250;
const BATCH = 1_000;
const DAY_MS = 86_400_000;

export interface Vehicle {
  readonly deviceId: string;
  readonly incarnation: number;
}

export async function addVehicles(db: StoreDb): Promise<Vehicle[]> {
  const { devices } = createStores(db);
  const vehicles: Vehicle[] = [];
  for (let number = 0; number < VEHICLES; number++) {
    const deviceId = `D${number}`;
    const { incarnation } = await devices.insert({ deviceId, name: deviceId, chn: 1 });
    vehicles.push({ deviceId, incarnation });
  }
  return vehicles;
}

/** From some days ago on, each 10 s. */
export async function addOldPositions(db: StoreDb, vehicles: readonly Vehicle[], count: number): Promise<void> {
  const { positions } = createStores(db);
  const driven = drivenPositions(Math.ceil(count / vehicles.length), Date.now() - 20 * DAY_MS);
  let batch: Position[] = [];
  for (const { id, extra, cabinCelsius, late, ...stored } of driven) {
    const items = JSON.parse(extra) as Record<string, unknown>;
    for (const [number, vehicle] of vehicles.entries()) {
      batch.push({
        ...stored,
        ...vehicle,
        deviceTimeMs: wallMs(stored.deviceTimeMs),
        receivedAtMs: wallMs(stored.receivedAtMs + number),
        latitude: Math.round(stored.latitude * 1e6 + number * 1_000) / 1e6,
        extra: items,
      });
      if (batch.length < BATCH) continue;
      await positions.append(batch);
      batch = [];
    }
  }
  await positions.append(batch);
}

/** A moment of all vehicles, now. */
export function positionsNow(vehicles: readonly Vehicle[], round: number): Position[] {
  const nowMs = wallMs(Date.now());
  return vehicles.map((vehicle, at) => ({
    ...vehicle,
    deviceTimeMs: nowMs,
    receivedAtMs: nowMs,
    latitude: (25_000_000 + at * 100 + round) / 1e6,
    longitude: 121.56,
    altitudeM: 12,
    speedKmh: 40.5,
    headingDeg: 90,
    alarmBits: 0,
    statusBits: 3,
    extra: { 1: '0001e240', 2: '0258', 48: '1f' },
    mileageKm: 12_345.6,
    fuelLiters: 60,
    signal: 31,
  }));
}

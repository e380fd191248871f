// Positions that a terminal sends again because the answer to them got lost. Each is kept once.
import type { Insertable } from 'kysely';
import type { StoreDb } from '../engine/database.ts';
import type { StoredPosition } from './blocks/storedPosition.ts';
import type { PositionTable } from './tables.ts';

type Row = Insertable<PositionTable>;
type Place = Pick<Row, 'incarnation' | 'device_time_ms' | 'latitude' | 'longitude' | 'alarm_bits' | 'status_bits'>;

const TIMES_PER_STATEMENT = 1_000;
const PLACE = ['device_time_ms', 'latitude', 'longitude', 'alarm_bits', 'status_bits'] as const;

/** Two reports of one second at one place with other flags are two: the second may be the alarm. */
function placeKey({ incarnation, device_time_ms, latitude, longitude, alarm_bits, status_bits }: Place): string {
  return `${incarnation} ${device_time_ms} ${latitude} ${longitude} ${alarm_bits} ${status_bits}`;
}

/**
 * Without what was delivered late and is among the rows, or before it in the batch. Live reports are not looked for, which would cost each of them a
 * look into the index; nor are blocks, into which a repeat is merged soon.
 */
export async function withoutRepeats(db: StoreDb, rows: readonly Row[]): Promise<readonly Row[]> {
  const late = rows.filter((row) => row.late === 1);
  if (late.length === 0) return rows;
  const known = await keysOfStored(db, late);
  return rows.filter((row) => {
    const key = placeKey(row);
    const isRepeat = row.late === 1 && known.has(key);
    known.add(key);
    return !isRepeat;
  });
}

/** A look into the index for each moment. */
async function keysOfStored(db: StoreDb, late: readonly Row[]): Promise<Set<string>> {
  const keys = new Set<string>();
  const timesByDevice = new Map<number, Set<number>>();
  for (const { incarnation, device_time_ms: atMs } of late) {
    const known = timesByDevice.get(incarnation);
    if (known === undefined) timesByDevice.set(incarnation, new Set([atMs]));
    else known.add(atMs);
  }
  for (const [incarnation, ownTimes] of timesByDevice) {
    const times = [...ownTimes];
    for (let start = 0; start < times.length; start += TIMES_PER_STATEMENT) {
      const stored = await db
        .selectFrom('position')
        .select(PLACE)
        .where('incarnation', '=', incarnation)
        .where('device_time_ms', 'in', times.slice(start, start + TIMES_PER_STATEMENT))
        .execute();
      for (const row of stored) keys.add(placeKey({ incarnation, ...row }));
    }
  }
  return keys;
}

/** In the order of places. Of those that say the same of one moment the first, as it was received first. */
export function distinctPositions(positions: readonly StoredPosition[]): readonly StoredPosition[] {
  let atMs = Number.NaN;
  let said = new Set<string>();
  let distinct: StoredPosition[] | undefined;
  for (const [at, position] of positions.entries()) {
    if (position.deviceTimeMs !== atMs) said = new Set();
    atMs = position.deviceTimeMs;
    const isAlone = said.size === 0 && positions[at + 1]?.deviceTimeMs !== atMs;
    const isRepeat = !isAlone && isSaid(said, position);
    if (isRepeat) distinct ??= positions.slice(0, at);
    else distinct?.push(position);
  }
  return distinct ?? positions;
}

/** All but when it came. Takes note of it. */
function isSaid(said: Set<string>, position: StoredPosition): boolean {
  const { id, receivedAtMs, late, ...content } = position;
  const text = JSON.stringify(content);
  const isThere = said.has(text);
  said.add(text);
  return isThere;
}

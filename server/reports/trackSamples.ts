import type { StoreDb } from '../store/engine/database.ts';
import type { SamplesOf } from './reportKind.ts';

const ROWS_AT_ONCE = 5_000;
/** Of the status word. */
const IGNITION_BIT = 1;

/** Of positions that are rows. */
export function samplesOfRows(db: StoreDb): SamplesOf {
  return async function* (incarnation, { fromMs, toMs }) {
    const rows = db
      .selectFrom('position')
      .select(['id', 'device_time_ms', 'status_bits', 'fuel_liters', 'cabin_celsius'])
      .where('incarnation', '=', incarnation)
      .where('device_time_ms', '<', bounded(toMs))
      .orderBy('device_time_ms')
      .orderBy('id')
      .limit(ROWS_AT_ONCE);
    let part = await rows.where('device_time_ms', '>=', bounded(fromMs)).execute();
    while (part.length > 0) {
      yield part.map((row) => ({
        deviceTimeMs: row.device_time_ms,
        isIgnitionOn: (row.status_bits & IGNITION_BIT) !== 0,
        fuelLiters: row.fuel_liters ?? undefined,
        cabinCelsius: row.cabin_celsius ?? undefined,
      }));
      const last = part.at(-1);
      if (last === undefined || part.length < ROWS_AT_ONCE) return;
      const { device_time_ms: atMs, id } = last;
      part = await rows
        .where(({ eb, and, or }) =>
          or([eb('device_time_ms', '>', atMs), and([eb('device_time_ms', '=', atMs), eb('id', '>', id)])]),
        )
        .execute();
    }
  };
}

/** Spans of a clock that was never measured have no bounds, which no column can be compared with. */
function bounded(ms: number): number {
  return Math.min(Math.max(Math.round(ms), 0), Number.MAX_SAFE_INTEGER);
}

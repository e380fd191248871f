// Sees rows of positions as soon as they are committed, from outside of the gateway: on a connection of its own.
import Database from 'better-sqlite3';

/** When a row was seen, epoch milliseconds, by device id and the position's own seconds. */
export type SeenRows = ReadonlyMap<string, number>;

export interface RowWatch {
  readonly seen: SeenRows;
  close(): void;
}

/** A row is seen at most this late: the figure that comes of it is that much too high at worst. */
const POLL_MS = 25;

export const rowKey = (deviceId: string, seconds: number): string => `${deviceId} ${seconds}`;

export function watchRows(databaseFile: string): RowWatch {
  const database = new Database(databaseFile, { readonly: true });
  const newer = database.prepare(
    'SELECT id, device_id, device_time_ms FROM position JOIN device USING (incarnation) WHERE id > ? ORDER BY id',
  );
  const seen = new Map<string, number>();
  let lastId = 0;
  const look = (): void => {
    const rows = newer.all(lastId) as { id: number; device_id: string; device_time_ms: number }[];
    const nowMs = Date.now();
    for (const { id, device_id: deviceId, device_time_ms: timeMs } of rows) {
      lastId = id;
      const key = rowKey(deviceId, timeMs / 1_000);
      if (!seen.has(key)) seen.set(key, nowMs);
    }
  };
  const timer = setInterval(look, POLL_MS);
  return {
    seen,
    close: () => {
      clearInterval(timer);
      database.close();
    },
  };
}

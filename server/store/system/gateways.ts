// The only module that knows `gateway`: the gateways that run on this database. Several can use one PostgreSQL database.
// An advisory lock would show the end of a gateway at once, but a lost connection too, and the embedded database has none.
import { type WallMs, wallMs } from '../../../shared/protocol/time.ts';
import type { StoreDb } from '../engine/database.ts';

export interface GatewaySeen {
  /** Created at each start. */
  readonly id: string;
  readonly host: string;
  readonly version: string;
  readonly startedAtMs: WallMs;
  /** Last sign of life, on the gateway's own clock. */
  readonly seenAtMs: WallMs;
}

export interface GatewayStore {
  /** Notes a sign of life; also for a gateway whose row another one has removed because of a different clock. */
  seen(gateway: GatewaySeen): Promise<void>;
  /** Removes a gateway that has shut down properly. */
  ended(id: string): Promise<void>;
  /** Removes gateways without a sign of life since then, and all but the newest. */
  removeOld(beforeMs: number): Promise<void>;
  /** The newest sign of life first. */
  list(): Promise<readonly GatewaySeen[]>;
}

/** A gateway that is killed and restarted every few seconds leaves thousands of rows in a day; the newest ones say enough. */
export const MAX_GATEWAYS = 100;

export function createGatewayStore(db: StoreDb, max = MAX_GATEWAYS): GatewayStore {
  const newest = () => db.selectFrom('gateway').orderBy('seen_at_ms', 'desc').orderBy('id').limit(max);
  return {
    seen: async ({ id, host, version, startedAtMs, seenAtMs }) => {
      const row = { id, host, version, started_at_ms: startedAtMs, seen_at_ms: seenAtMs };
      const insert = db.insertInto('gateway').values(row);
      await insert.onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at_ms: seenAtMs })).execute();
    },
    ended: async (id) => {
      await db.deleteFrom('gateway').where('id', '=', id).execute();
    },
    removeOld: async (beforeMs) => {
      await db
        .deleteFrom('gateway')
        .where((is) => is.or([is('seen_at_ms', '<', beforeMs), is('id', 'not in', newest().select('id'))]))
        .execute();
    },
    list: async () =>
      (await newest().selectAll().execute()).map(({ id, host, version, started_at_ms, seen_at_ms }) => ({
        id,
        host,
        version,
        startedAtMs: wallMs(started_at_ms),
        seenAtMs: wallMs(seen_at_ms),
      })),
  };
}

// The only module that knows the `evidence_hold` table: what is kept beyond its retention, why and by whom.
import type { Selectable } from 'kysely';
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import type { StoreDb } from './database.ts';
import type { EvidenceHoldTable } from './schema.ts';
import { storableText } from './storableText.ts';

export interface NewEvidenceHold {
  readonly deviceId: string;
  /** 0: all channels. */
  readonly channel: number;
  /** Half-open, the gateway's clock. */
  readonly fromMs: WallMs;
  readonly toMs: WallMs;
  readonly reason: string;
  /** User name. */
  readonly heldBy: string;
}

export interface EvidenceHold extends NewEvidenceHold {
  readonly id: number;
  readonly heldAtMs: WallMs;
  /** '' and 0 while it is in force. */
  readonly releasedBy: string;
  readonly releasedAtMs: WallMs;
}

export interface EvidenceHoldStore {
  /** Gives the new hold's id. */
  add(hold: NewEvidenceHold, at: WallMs): Promise<number>;
  /** False when there is none in force with this id. */
  release(id: number, by: string, at: WallMs): Promise<boolean>;
  /** Those in force, of one device or of all, by begin. */
  inForce(deviceId?: string): Promise<EvidenceHold[]>;
  /** Released ones too, newest first. */
  list(deviceId?: string): Promise<EvidenceHold[]>;
}

export function createEvidenceHoldStore(db: StoreDb): EvidenceHoldStore {
  const holds = (deviceId: string | undefined) => {
    const all = db.selectFrom('evidence_hold').selectAll();
    return deviceId === undefined ? all : all.where('device_id', '=', deviceId);
  };
  return {
    add: async ({ deviceId, channel, fromMs, toMs, reason, heldBy }, at) => {
      const what = { device_id: deviceId, channel, from_ms: fromMs, to_ms: toMs };
      const why = { reason: storableText(reason), held_by: heldBy, held_at_ms: at };
      const insert = db.insertInto('evidence_hold').values({ ...what, ...why });
      return (await insert.returning('id').executeTakeFirstOrThrow()).id;
    },
    release: async (id, by, at) => {
      const hold = db.updateTable('evidence_hold').set({ released_by: by, released_at_ms: at }).where('id', '=', id);
      return (await hold.where('released_at_ms', '=', 0).executeTakeFirst()).numUpdatedRows > 0n;
    },
    inForce: async (deviceId) => {
      const rows = await holds(deviceId).where('released_at_ms', '=', 0).orderBy('from_ms').orderBy('id').execute();
      return rows.map(toHold);
    },
    list: async (deviceId) => (await holds(deviceId).orderBy('id', 'desc').execute()).map(toHold),
  };
}

function toHold(row: Selectable<EvidenceHoldTable>): EvidenceHold {
  return {
    id: row.id,
    deviceId: row.device_id,
    channel: row.channel,
    fromMs: wallMs(row.from_ms),
    toMs: wallMs(row.to_ms),
    reason: row.reason,
    heldBy: row.held_by,
    heldAtMs: wallMs(row.held_at_ms),
    releasedBy: row.released_by,
    releasedAtMs: wallMs(row.released_at_ms),
  };
}

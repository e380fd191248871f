// The only module that knows the `evidence_hold` table: what is kept beyond its retention, why and by whom.
import type { Selectable } from 'kysely';
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import { deviceIdOfArchive } from '../archiveId.ts';
import { storableText } from '../limits/storableText.ts';
import type { StoreDb } from './database.ts';
import type { EvidenceHoldTable } from './schema.ts';

export interface NewEvidenceHold {
  /** What the held recordings lie under. */
  readonly archiveId: string;
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
  /** Of the device that recorded it; another device may have that id by now. */
  readonly deviceId: string;
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
  /** Those in force, of one archive or of all, by begin. */
  inForce(archiveId?: string): Promise<EvidenceHold[]>;
  /** Released ones too, newest first; of every device that had the id. */
  list(deviceId?: string): Promise<EvidenceHold[]>;
}

export function createEvidenceHoldStore(db: StoreDb): EvidenceHoldStore {
  const holds = (column: 'device_id' | 'archive_id', value: string | undefined) => {
    const all = db.selectFrom('evidence_hold').selectAll();
    return value === undefined ? all : all.where(column, '=', value);
  };
  return {
    add: async ({ archiveId, channel, fromMs, toMs, reason, heldBy }, at) => {
      const device = { archive_id: archiveId, device_id: deviceIdOfArchive(archiveId) };
      const what = { ...device, channel, from_ms: fromMs, to_ms: toMs };
      const why = { reason: storableText(reason), held_by: heldBy, held_at_ms: at };
      const insert = db.insertInto('evidence_hold').values({ ...what, ...why });
      return (await insert.returning('id').executeTakeFirstOrThrow()).id;
    },
    release: async (id, by, at) => {
      const hold = db.updateTable('evidence_hold').set({ released_by: by, released_at_ms: at }).where('id', '=', id);
      return (await hold.where('released_at_ms', '=', 0).executeTakeFirst()).numUpdatedRows > 0n;
    },
    inForce: async (archiveId) => {
      const held = holds('archive_id', archiveId).where('released_at_ms', '=', 0);
      return (await held.orderBy('from_ms').orderBy('id').execute()).map(toHold);
    },
    list: async (deviceId) => (await holds('device_id', deviceId).orderBy('id', 'desc').execute()).map(toHold),
  };
}

function toHold(row: Selectable<EvidenceHoldTable>): EvidenceHold {
  return {
    id: row.id,
    archiveId: row.archive_id,
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

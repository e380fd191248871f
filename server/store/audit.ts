// The only module that knows the `audit` table: who did what, from where. Rows are added and never changed.
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import type { StoreDb } from './database.ts';
import { storableText } from './storableText.ts';

export interface AuditEntry {
  /** The user name as it was given; '' when nobody was signed in. */
  readonly actor: string;
  /** What happened, as `subject.event`: `session.begin`, `session.refused`, `password.change`. */
  readonly action: string;
  readonly target?: string;
  readonly address?: string;
  /** Never a secret: these rows are shown and exported. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

export type AuditRecord = Required<AuditEntry> & { readonly id: number; readonly atMs: WallMs };

export interface AuditStore {
  add(entry: AuditEntry, at: WallMs): Promise<void>;
  /** Newest first; `beforeId` goes on from an earlier page's last row. */
  list(page: { readonly limit: number; readonly beforeId?: number }): Promise<AuditRecord[]>;
  /** Removes all but the newest entries of one action. For those that strangers can cause without limit. */
  keepNewest(action: string, count: number): Promise<void>;
}

/** Longer texts come from outside only, and nobody reads them whole. */
const MAX_TEXT = 256;

export function createAuditStore(db: StoreDb): AuditStore {
  return {
    add: async (entry, at) => {
      const row = {
        at_ms: at,
        actor: bounded(entry.actor),
        action: entry.action,
        target: bounded(entry.target ?? ''),
        address: bounded(entry.address ?? ''),
        detail: JSON.stringify(entry.detail ?? {}),
      };
      await db.insertInto('audit').values(row).execute();
    },
    list: async ({ limit, beforeId }) => {
      const newest = db.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(limit);
      const rows = await (beforeId === undefined ? newest : newest.where('id', '<', beforeId)).execute();
      return rows.map(({ id, at_ms, actor, action, target, address, detail }) => ({
        id,
        atMs: wallMs(at_ms),
        actor,
        action,
        target,
        address,
        detail: JSON.parse(detail) as Readonly<Record<string, unknown>>,
      }));
    },
    keepNewest: async (action, count) => {
      const ofAction = db.selectFrom('audit').select('id').where('action', '=', action).orderBy('id', 'desc');
      const oldest = await ofAction.offset(count).limit(1).executeTakeFirst();
      if (oldest === undefined) return;
      await db.deleteFrom('audit').where('action', '=', action).where('id', '<=', oldest.id).execute();
    },
  };
}

function bounded(text: string): string {
  return storableText(text).slice(0, MAX_TEXT);
}

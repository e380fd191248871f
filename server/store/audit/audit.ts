// The only module that knows the `audit` table: who did what, from where. Rows are added and never changed.
import type { AuditRow } from '../../../shared/protocol/api/audit.ts';
import type { WallMs } from '../../../shared/protocol/time.ts';
import { storableText } from '../../limits/storableText.ts';
import type { StoreDb } from '../engine/database.ts';
import type { FoundPage } from '../engine/listPage.ts';
import type { AuditEntry } from './auditEntry.ts';
import { type AuditQuery, pageOfAudit, toAuditRow } from './auditList.ts';

export interface AuditStore {
  add(entry: AuditEntry, at: WallMs): Promise<void>;
  /** Newest first; `beforeId` goes on from an earlier page's last row. */
  list(page: { readonly limit: number; readonly beforeId?: number }): Promise<AuditRow[]>;
  /** Undefined when the position is none of such a list. */
  page(query: AuditQuery): Promise<FoundPage<AuditRow> | undefined>;
  /** Removes all but the newest entries of one action, and gives how many. For those that strangers can cause without limit. */
  keepNewest(action: string, count: number): Promise<number>;
}

/** Longer texts come from outside only, and nobody reads them whole. */
const MAX_TEXT = 256;

/** `reading`: for what may take long. */
export function createAuditStore(db: StoreDb, reading: StoreDb): AuditStore {
  return {
    add: (entry, at) => insertAudit(db, { entry, at }),
    list: async ({ limit, beforeId }) => {
      const newest = db.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(limit);
      const rows = await (beforeId === undefined ? newest : newest.where('id', '<', beforeId)).execute();
      return rows.map(toAuditRow);
    },
    page: (query) => pageOfAudit(reading, query),
    keepNewest: async (action, count) => {
      const ofAction = db.selectFrom('audit').select('id').where('action', '=', action).orderBy('id', 'desc');
      const oldest = await ofAction.offset(count).limit(1).executeTakeFirst();
      if (oldest === undefined) return 0;
      const surplus = db.deleteFrom('audit').where('action', '=', action).where('id', '<=', oldest.id);
      return Number((await surplus.executeTakeFirst()).numDeletedRows);
    },
  };
}

/** An entry and when it happened. */
export interface AuditNote {
  readonly entry: AuditEntry;
  readonly at: WallMs;
}

/** Writes an entry, in the transaction of what it tells about where `work` is one. */
export async function insertAudit(work: StoreDb, { entry, at }: AuditNote): Promise<void> {
  const row = {
    at_ms: at,
    actor: bounded(entry.actor),
    action: entry.action,
    target: bounded(entry.target ?? ''),
    address: bounded(entry.address ?? ''),
    detail: JSON.stringify(entry.detail ?? {}),
    ...changeOf(entry),
  };
  await work.insertInto('audit').values(row).execute();
}

function bounded(text: string): string {
  return storableText(text).slice(0, MAX_TEXT);
}

function changeOf({ before, after }: AuditEntry): { readonly before_change: string; readonly after_change: string } {
  const text = (fields: AuditEntry['before']): string =>
    fields === undefined ? '' : storableText(JSON.stringify(fields));
  return { before_change: text(before), after_change: text(after) };
}

// The only module that knows `upload`: files that members are uploading.
import type { Selectable } from 'kysely';
import { UPLOAD_PURPOSES, type UploadPurpose } from '../../../shared/protocol/api/uploads/uploads.ts';
import type { StoreDb } from '../engine/database.ts';
import type { UploadTable } from './tables.ts';

export interface StoredUpload {
  readonly id: string;
  readonly userId: number;
  readonly purpose: UploadPurpose;
  readonly bytes: number;
  readonly sha256: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

export interface UploadStore {
  /** Uploads of all users: there are few at any time. */
  all(): Promise<StoredUpload[]>;
  find(id: string): Promise<StoredUpload | undefined>;
  add(upload: StoredUpload): Promise<void>;
  remove(id: string): Promise<void>;
}

export function createUploadStore(db: StoreDb): UploadStore {
  return {
    all: async () => (await db.selectFrom('upload').selectAll().orderBy('id').execute()).flatMap(toUpload),
    find: async (id) => {
      const row = await db.selectFrom('upload').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? undefined : toUpload(row)[0];
    },
    add: async ({ id, userId, purpose, bytes, sha256, createdAtMs, expiresAtMs }) => {
      const times = { created_at_ms: createdAtMs, expires_at_ms: expiresAtMs };
      await db
        .insertInto('upload')
        .values({ id, user_id: userId, purpose, bytes, sha256, ...times })
        .execute();
    },
    remove: async (id) => {
      await db.deleteFrom('upload').where('id', '=', id).execute();
    },
  };
}

/** Empty for a purpose that only another version of the gateway knows. */
function toUpload(row: Selectable<UploadTable>): StoredUpload[] {
  const purpose = UPLOAD_PURPOSES.find((each) => each === row.purpose);
  if (purpose === undefined) return [];
  return [
    {
      id: row.id,
      userId: row.user_id,
      purpose,
      bytes: row.bytes,
      sha256: row.sha256,
      createdAtMs: row.created_at_ms,
      expiresAtMs: row.expires_at_ms,
    },
  ];
}

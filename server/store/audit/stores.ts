import type { StoreDb } from '../engine/database.ts';
import { createAuditStore } from './audit.ts';

export type AuditStores = Readonly<ReturnType<typeof createAuditStores>>;

export function createAuditStores(db: StoreDb, reading: StoreDb) {
  return {
    audit: createAuditStore(db, reading),
  };
}

import type { StoreDb } from '../engine/database.ts';
import { createLinkCredentialStore } from './linkCredentials.ts';
import { createLinkListStore } from './linkList.ts';

export type LinkStores = Readonly<ReturnType<typeof createLinkStores>>;

export function createLinkStores(db: StoreDb, reading: StoreDb) {
  return {
    linkCredentials: createLinkCredentialStore(db),
    linkList: createLinkListStore(db, reading),
  };
}

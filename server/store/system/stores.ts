import type { StoreDb } from '../engine/database.ts';
import { createMissingTranslationStore } from './missingTranslations.ts';
import { createSettingStore } from './settings.ts';
import { createTableSizeStore } from './tableSizes.ts';

export type SystemStores = Readonly<ReturnType<typeof createSystemStores>>;

export function createSystemStores(db: StoreDb, reading: StoreDb) {
  return {
    missingTranslations: createMissingTranslationStore(db),
    settings: createSettingStore(db),
    tableSizes: createTableSizeStore(reading),
  };
}

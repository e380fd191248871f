import type { StoreDb } from '../engine/database.ts';
import { createBackupStore } from './backups.ts';
import { createDatabaseFactsStore } from './databaseFacts.ts';
import { createGatewayStore } from './gateways.ts';
import { createMissingTranslationStore } from './missingTranslations.ts';
import { createProductVersionStore } from './productVersions.ts';
import { createSettingStore } from './settings.ts';
import { createTableSizeStore } from './tableSizes.ts';

export type SystemStores = Readonly<ReturnType<typeof createSystemStores>>;

export function createSystemStores(db: StoreDb, reading: StoreDb) {
  return {
    missingTranslations: createMissingTranslationStore(db),
    settings: createSettingStore(db),
    tableSizes: createTableSizeStore(reading),
    gateways: createGatewayStore(db),
    backups: createBackupStore(db),
    productVersions: createProductVersionStore(db),
    databaseFacts: createDatabaseFactsStore(reading),
  };
}

import type { StoreDb } from '../engine/database.ts';
import { createDatabaseFactsStore } from './databaseFacts.ts';
import { createGatewayStore } from './gateways.ts';
import { createMissingTranslationStore } from './missingTranslations.ts';
import { createProductVersionStore } from './productVersions.ts';
import { createSettingStore } from './settings.ts';

export type SystemStores = Readonly<ReturnType<typeof createSystemStores>>;

export function createSystemStores(db: StoreDb, reading: StoreDb) {
  return {
    missingTranslations: createMissingTranslationStore(db),
    settings: createSettingStore(db),
    gateways: createGatewayStore(db),
    productVersions: createProductVersionStore(db),
    databaseFacts: createDatabaseFactsStore(reading),
  };
}

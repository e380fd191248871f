export interface SystemTables {
  setting: SettingTable;
  missing_translation: MissingTranslationTable;
  gateway: GatewayTable;
  product_version: ProductVersionTable;
  /** Made by `migrate`, before any step. */
  schema_version: SchemaVersionTable;
}

export interface SettingTable {
  name: string;
  value: string;
}

export interface MissingTranslationTable {
  language: string;
  namespace: string;
  key: string;
  first_seen_at_ms: number;
}

/** Of each start one. */
export interface GatewayTable {
  id: string;
  host: string;
  version: string;
  started_at_ms: number;
  seen_at_ms: number;
}

export interface ProductVersionTable {
  version: string;
  first_at_ms: number;
}

export interface SchemaVersionTable {
  version: number;
  name: string;
  applied_at_ms: number;
}

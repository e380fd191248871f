import type { Generated } from 'kysely';

export interface SystemTables {
  setting: SettingTable;
  missing_translation: MissingTranslationTable;
  gateway: GatewayTable;
  backup: BackupTable;
  product_version: ProductVersionTable;
  /** Created by `migrate`, before any step. */
  schema_version: SchemaVersionTable;
}

interface SettingTable {
  name: string;
  value: string;
}

interface MissingTranslationTable {
  language: string;
  namespace: string;
  key: string;
  first_seen_at_ms: number;
}

/** One row for each start. */
interface GatewayTable {
  id: string;
  host: string;
  version: string;
  started_at_ms: number;
  seen_at_ms: number;
}

interface ProductVersionTable {
  version: string;
  first_at_ms: number;
}

interface SchemaVersionTable {
  version: number;
  name: string;
  applied_at_ms: number;
}

/** Also contains failed backups, until they are removed. */
export interface BackupTable {
  id: Generated<number>;
  /** Its name in BACKUP_DIR. */
  file: string;
  created_at_ms: number;
  ended_at_ms: Generated<number>;
  /** Username; '' for a scheduled backup. */
  made_by: string;
  is_manual: number;
  /** 1: uploaded as a file, perhaps from another installation. */
  is_uploaded: number;
  note: string;
  state: string;
  /** A code of BACKUP_FAULTS. */
  fault: Generated<string>;
  /** For the log: the finding and its place. */
  detail: Generated<string>;
  /** Size of the archive. */
  bytes: Generated<number>;
  row_count: Generated<number>;
  /** Hash of the archive, in hex. */
  sha256: Generated<string>;
  product_version: string;
  /** 0 until the archive is whole. */
  schema_version: Generated<number>;
  engine: string;
  encryption: string;
  /** The passphrase or recovery key, sealed; '' without. The plan may have others by now. */
  sealed_key: string;
  /** JSON lists. */
  history: string;
  files: string;
  test_state: Generated<string>;
  tested_at_ms: Generated<number>;
  test_ms: Generated<number>;
  test_fault: Generated<string>;
  copy_state: Generated<string>;
  copy_fault: Generated<string>;
}

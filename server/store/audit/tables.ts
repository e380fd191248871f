import type { Generated } from 'kysely';

export interface AuditTables {
  audit: AuditTable;
}

export interface AuditTable {
  id: Generated<number>;
  at_ms: number;
  /** User name as it was given, '' when nobody was signed in. */
  actor: string;
  action: string;
  target: string;
  address: string;
  /** JSON object. */
  detail: string;
  /** JSON objects of a changed record's fields; '' where there are none. */
  before_change: Generated<string>;
  after_change: Generated<string>;
}

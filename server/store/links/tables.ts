import type { Generated } from 'kysely';

export interface LinkTables {
  link_credential: LinkCredentialTable;
}

interface LinkCredentialTable {
  id: Generated<number>;
  secret_hash: string;
  owner_id: number;
  device_id: string;
  /** Bit 0 is channel 1. */
  channel_mask: number;
  /** Bits of LinkKindBit. */
  kinds: number;
  /** 0: never. */
  expires_at_ms: number;
  /** 0: in force. */
  revoked_at_ms: number;
  /** Set for the credentials of our own pages: they end with the session and are not listed. */
  session_id_hash: string | null;
  created_at_ms: number;
  note: Generated<string>;
  /** 0: never. */
  last_used_at_ms: Generated<number>;
  /** How often a page asked what the link opens. */
  use_count: Generated<number>;
  last_address: Generated<string>;
}

import type { Generated } from 'kysely';

export interface FenceTables {
  fence: FenceTable;
  fence_state: FenceStateTable;
  fence_visit: FenceVisitTable;
  terminal_area: TerminalAreaTable;
}

export interface FenceTable {
  id: Generated<number>;
  member_group: number;
  name: string;
  /** By which it is sorted and found. */
  name_key: string;
  /** Number in FENCE_KINDS. */
  kind: number;
  enabled: number;
  /** Positions of its geometry. */
  vertices: Generated<number>;
  /** JSON object: FenceContent without name and enabled. */
  content: string;
  changed_at_ms: number;
  /** As the member was called then. */
  changed_by: string;
  version: Generated<number>;
}

/** Where a device is to a fence, for a gateway that starts again. */
interface FenceStateTable {
  fence: number;
  incarnation: number;
  is_inside: number;
  /** By the gateway's clock, and by the device's. */
  since_ms: number;
  device_since_ms: number;
}

interface FenceVisitTable {
  id: Generated<number>;
  fence: number;
  /** As the fence was called then. */
  fence_name: string;
  member_group: number;
  incarnation: number;
  /** The gateway's clock. */
  from_ms: number;
  /** 0 while it lasts. */
  to_ms: Generated<number>;
  clock_offset_ms: number;
}

/** A fence in a terminal, or on its way into or out of it. */
export interface TerminalAreaTable {
  fence: number;
  device_id: string;
  /** Of the device; what a former one with its id has is none of its own. */
  incarnation: number;
  /** Number in FENCE_KINDS: what it is removed by. */
  kind: number;
  /** 1: it is to be there; 0: it is to go. */
  wanted: number;
  fence_version: number;
  /** Number in TERMINAL_AREA_STATES. */
  state: number;
  /** A code of TERMINAL_AREA_NOTES; '' for none. */
  note: string;
  order_id: Generated<number>;
  changed_at_ms: number;
}

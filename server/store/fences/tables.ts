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
  /** Key for sorting and searching. */
  name_key: string;
  /** Number in FENCE_KINDS. */
  kind: number;
  enabled: number;
  /** Number of positions in its geometry. */
  vertices: Generated<number>;
  /** JSON object: FenceContent without name and enabled. */
  content: string;
  changed_at_ms: number;
  /** The member's name at that time. */
  changed_by: string;
  version: Generated<number>;
}

/** Whether a device is inside a fence, for a gateway that starts again. */
interface FenceStateTable {
  fence: number;
  incarnation: number;
  is_inside: number;
  /** Time by the gateway's clock, and by the device's. */
  since_ms: number;
  device_since_ms: number;
}

interface FenceVisitTable {
  id: Generated<number>;
  fence: number;
  /** The fence's name at that time. */
  fence_name: string;
  member_group: number;
  incarnation: number;
  /** Time by the gateway's clock. */
  from_ms: number;
  /** 0 while it lasts. */
  to_ms: Generated<number>;
  clock_offset_ms: number;
}

/** A fence in a terminal, or on its way into or out of it. */
export interface TerminalAreaTable {
  fence: number;
  device_id: string;
  /** Incarnation of the device; areas of a former device with its id don't belong to it. */
  incarnation: number;
  /** Number in FENCE_KINDS, which is needed to remove it. */
  kind: number;
  /** 1: it should be in the terminal; 0: it should be removed. */
  wanted: number;
  fence_version: number;
  /** Number in TERMINAL_AREA_STATES. */
  state: number;
  /** A code of TERMINAL_AREA_NOTES; '' for none. */
  note: string;
  order_id: Generated<number>;
  changed_at_ms: number;
}

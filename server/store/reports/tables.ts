import type { Generated } from 'kysely';

export interface ReportTables {
  report_job: ReportJobTable;
  report_schedule: ReportScheduleTable;
}

export interface ReportJobTable {
  id: Generated<number>;
  member_group: number;
  user_id: number;
  kind: string;
  /** JSON object: ReportParameters. */
  parameters: string;
  /** The period as it was when it was asked for. Half open. */
  from_ms: number;
  to_ms: number;
  /** Number of the schedule that asked for it; 0: its maker did. */
  schedule: number;
  /** Number in REPORT_STATES. */
  state: number;
  /** 0 to 1. */
  progress: Generated<number>;
  row_count: Generated<number>;
  bytes: Generated<number>;
  /** 1: there were more rows than a report may have. */
  is_cut: Generated<number>;
  /** A code of REPORT_FAULTS; '' for none. */
  fault: Generated<string>;
  /** Random name in DATA_DIR/reports; '' while there is none, and once it has expired. */
  file: Generated<string>;
  created_at_ms: number;
  started_at_ms: Generated<number>;
  finished_at_ms: Generated<number>;
  expires_at_ms: Generated<number>;
}

export interface ReportScheduleTable {
  id: Generated<number>;
  member_group: number;
  user_id: number;
  name: string;
  enabled: number;
  /** JSON object: ReportScheduleContent without name and enabled. */
  content: string;
  /** A code of REPORT_PAUSES; '' where it runs. */
  pause_reason: Generated<string>;
  last_run_at_ms: Generated<number>;
  last_job: Generated<number>;
  /** A code of REPORT_DELIVERIES; '' for none yet; a JSON list of the recipients who have it, while others are still to be sent it. */
  last_delivery: Generated<string>;
  next_run_at_ms: number;
  changed_at_ms: number;
  version: Generated<number>;
}

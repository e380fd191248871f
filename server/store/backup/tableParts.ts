// Which tables a backup holds. A test fails when a migration adds one that nobody has put here.

import { BACKUP_HISTORY, type BackupHistory } from '../../../shared/protocol/backup/backupWords.ts';
import type { RowFilter } from './snapshot.ts';

/** History that a backup may leave out. */
export const HISTORY_PARTS = BACKUP_HISTORY;
export type HistoryPart = BackupHistory;

/**
 * `core`: in every backup. `passing`: sessions, which nobody has after a restore, and what is true of the present alone, such as
 * which backups there are. `rebuilt`: read from the files of recordings at each start.
 */
export type TablePart = HistoryPart | 'core' | 'passing' | 'rebuilt';

/** Tables of earlier schema versions too, since their backups are restored. No part refers to one that may be left out without it. */
const TABLES: Readonly<Record<TablePart, readonly string[]>> = {
  core: [
    ...['schema_version', 'product_version', 'setting', 'missing_translation'],
    ...['role', 'member_group', 'member_group_device_group', 'app_user', 'app_user_member_group', 'second_factor'],
    ...['recovery_code', 'invitation', 'known_browser', 'camera_wall', 'event_filter', 'push_subscription'],
    ...['device_group', 'device', 'device_incarnation', 'former_owner', 'device_clock', 'terminal_attributes'],
    ...['unknown_terminal', 'device_order', 'device_alarm_limit', 'link_credential'],
    ...['recording_policy', 'recording_removal', 'evidence_hold'],
    ...['event_type', 'event_reason', 'event_rule', 'notify_template', 'notify_sender', 'notify_rule'],
    ...['fence', 'fence_state', 'terminal_area', 'report_schedule', 'report_job'],
    ...['firmware_image', 'firmware_model', 'firmware_task', 'firmware_device', 'firmware_step'],
    ...['sync_rule', 'sync_item', 'sync_received', 'device_listing', 'device_recording', 'sim_plan', 'device_sim'],
  ],
  positions: [
    ...['position', 'position_block', 'presence_session', 'online_history', 'fence_visit'],
    ...['trip', 'stop', 'track_gap', 'track_day', 'track_state', 'track_dirty', 'driver_session', 'passenger_count'],
  ],
  events: [
    ...['alarm_onset', 'event', 'event_step', 'event_day', 'event_driver', 'event_media', 'attachment_request'],
    ...['notify_message', 'notify_attempt', 'notify_digest_event'],
  ],
  netflow: [
    ...['netflow_device', 'netflow_hour', 'netflow_day', 'netflow_withheld', 'netflow_device_month'],
    ...['netflow_group_day', 'netflow_place'],
  ],
  audit: ['audit'],
  passing: ['session', 'frame_token', 'sign_in_step', 'upload', 'gateway', 'backup'],
  rebuilt: ['segment', 'recorded_range'],
};

const PARTS: ReadonlyMap<string, TablePart> = new Map(
  Object.entries(TABLES).flatMap(([part, names]) => names.map((name) => [name, part as TablePart] as const)),
);

/**
 * Rows of `setting` that only an encrypted backup holds: whoever has the link key signs in with links of their own making. The keys
 * of push messages and of backups are sealed with a key beside the database, and of no use without it.
 */
const SECRET_SETTINGS: readonly string[] = ['link_key', 'notify.vapid', 'backup.plan'];

/** Undefined: nobody has decided about this table. */
export function partOf(table: string): TablePart | undefined {
  return PARTS.get(table);
}

/** Whether a backup with this history holds the table. */
export function isBackedUp(table: string, history: readonly HistoryPart[]): boolean {
  const part = partOf(table);
  if (part === undefined || part === 'passing' || part === 'rebuilt') return false;
  return part === 'core' || history.includes(part);
}

/** Also those of earlier schema versions. */
export function tablesOf(part: TablePart): readonly string[] {
  return TABLES[part];
}

/** Tables that no backup holds and that say what has been done since one was made. */
const STAYING: readonly string[] = ['backup'];

/** Whether a restore leaves the table's present rows. Those of the audit stay beside the restored ones. */
export function staysThroughRestore(table: string): boolean {
  return STAYING.includes(table);
}

/** Which of a table's rows a backup holds. */
export function keptRows(table: string, isEncrypted: boolean): RowFilter {
  if (table === 'setting' && !isEncrypted) return { withoutNames: SECRET_SETTINGS };
  // A link of a session ends with it, and no backup has sessions.
  if (table === 'link_credential') return { nullIn: 'session_id_hash' };
  return {};
}

// Rows of each schema version, as they were written when it was the newest.
import { type Kysely, sql } from 'kysely';

/** A row that each version adds, as that version's tables take it, and what the newest schema must still give of it. */
const rowsOfVersion: Readonly<Record<number, readonly string[]>> = {
  1: [
    `insert into setting (name, value) values ('link_key', 'ab')`,
    `insert into device_group (serialno, name) values (1, 'Buses')`,
    `insert into member_group (serialno, name, retention_days, expires_at_ms) values (1, 'North', 30, 0)`,
    'insert into member_group_device_group (member_group, device_group) values (1, 1)',
    `insert into device (device_id, name, plate, chn, installchs, device_group, created_at_ms)
       values ('DEV1', 'Bus', 'P', 4, '1111', 1, 5)`,
  ],
  2: [
    `insert into app_user (id, username, username_key, password_hash, permissions, created_at_ms, password_changed_at_ms)
       values (1, 'A', 'a', 'h', '["event"]', 5, 5)`,
    'insert into app_user_member_group (user_id, member_group) values (1, 1)',
  ],
  3: [
    `insert into position (device_id, device_time_ms, received_at_ms, latitude, longitude, altitude_m, speed_kmh,
       heading_deg, alarm_bits, status_bits, extra) values ('DEV1', 7, 8, 1.5, 2.5, 0, 0, 0, 0, 0, '{}')`,
  ],
  4: [`insert into audit (at_ms, actor, action, target, address, detail) values (9, 'A', 'x', '', '', '{}')`],
  5: [`update device set ptzchs = '0100', talkchs = '1000' where device_id = 'DEV1'`],
  6: [
    `update device set time_zone = 'Asia/Taipei' where device_id = 'DEV1'`,
    `insert into segment (device_id, channel, quality, start_ms, end_ms, device_start_ms, device_end_ms, bytes, group_count)
       values ('DEV1', 1, 'main', 1, 2, 0, 0, 3, 1)`,
    `insert into recorded_range (device_id, channel, from_ms, to_ms) values ('DEV1', 1, 1, 2)`,
    `insert into recording_policy (device_id, channel, mode, quality, schedule, retention_days)
       values ('DEV1', 0, 'always', 'main', '[]', 30)`,
    `insert into evidence_hold (device_id, channel, from_ms, to_ms, reason, held_by, held_at_ms)
       values ('DEV1', 0, 1, 2, 'accident', 'chief', 3)`,
  ],
  7: [
    `update device_group set parent = null, position = 3, version = 2`,
    `insert into recording_removal (device_id, up_to_ms) values ('GONE', 5)`,
  ],
  8: [
    `insert into role (id, name, name_key, permissions) values (9, 'Night', 'night', '["event"]')`,
    'update app_user set role = 9 where id = 1',
    'insert into second_factor (user_id, last_step) values (1, 5)',
    `insert into recovery_code (user_id, code_hash) values (1, 'h')`,
    `insert into invitation (user_id, token_hash, created_at_ms, expires_at_ms) values (1, 't', 1, 2)`,
    `insert into sign_in_step (ticket_hash, user_id, wall_monitor, expires_at_ms) values ('k', 1, 0, 2)`,
  ],
  15: [
    `insert into known_browser (token_hash, user_id, created_at_ms, last_used_at_ms, expires_at_ms) values ('b', 1, 1, 2, 3)`,
    'update invitation set issued_by = 1',
  ],
  9: [
    'insert into online_history (step_ms, at_ms, device_group, online, total) values (600000, 1, 1, 2, 3)',
    `insert into alarm_onset (device_id, alarm, at_ms) values ('DEV1', 1, 2)`,
    `insert into camera_wall (user_id, name, channels, cycle_seconds) values (1, 'North', '[]', 0)`,
  ],
  17: [
    `insert into device_order (token, incarnation, message, body, requested_by_name, reason, state, created_at_ms, expires_at_ms)
       values ('t', 1, 'text', '{}', 'ann', 'device.text', 'waiting', 5, 6)`,
  ],
  14: [`update device set pending_code_hash = 'ab', sign_in_address = '192.0.2.7' where device_id = 'DEV1'`],
  18: [
    `update device set archive_number = 1 where device_id = 'DEV1'`,
    'update device_incarnation set archive_number = 1 where incarnation = 1',
    `insert into event (archive_number, type, origins, severity, severity_order, status, source, unit, area, begin_at_ms,
       end_at_ms, device_time_ms, last_seen_at_ms, count, latitude, longitude, speed_kmh, heading_deg, end_latitude, end_longitude,
       end_speed_kmh, end_heading_deg, driver, rule, late, alarm_mark, edition, reason, media, acknowledged_at_ms, closed_at_ms,
       version)
       values (1, 'speeding', 1, 2, 10000000000002, 0, 0, 0, 0, 2, 0, 2, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, '', 0, 0, '', '', '', 0, 0, 0, 1)`,
  ],
  19: [
    `insert into event_media (event_id, event_begin_at_ms, archive_number, kind, channel, name, content_type, bytes, sha256,
       file_id, state, attempts, taken_at_ms, requested_at_ms, stored_at_ms)
       values (1, 2, 1, 'snapshot', 1, '', 'image/jpeg', 3, 'ab', 'cd', 'stored', 1, 2, 2, 3)`,
    `insert into attachment_request (alarm_number, event_id, event_begin_at_ms, archive_number, alarm_mark, state, attempts,
       created_at_ms, sent_at_ms) values ('n', 1, 2, 1, 'ff', 'open', 1, 2, 2)`,
  ],
  21: [`insert into device_alarm_limit (device_id, incarnation, wanted, state) values ('DEV1', 1, '{}', 'waiting')`],
};

/** The same for tables whose columns version 13 has changed. */
const rowsSince13: typeof rowsOfVersion = {
  3: [
    `insert into device_incarnation (incarnation, device_id, archive_id) values (1, 'DEV1', 'DEV1')`,
    `update device set incarnation = 1, archive_id = 'DEV1' where device_id = 'DEV1'`,
    `insert into position (incarnation, device_time_ms, received_at_ms, latitude, longitude, altitude_m, speed_kmh,
       heading_deg, alarm_bits, status_bits, extra) values (1, 7, 8, 1.5, 2.5, 0, 0, 0, 0, 0, '{}')`,
  ],
  6: [
    `update device set time_zone = 'Asia/Taipei' where device_id = 'DEV1'`,
    `insert into segment (archive_id, channel, quality, start_ms, end_ms, device_start_ms, device_end_ms, bytes, group_count)
       values ('DEV1', 1, 'main', 1, 2, 0, 0, 3, 1)`,
    `insert into recorded_range (archive_id, channel, from_ms, to_ms) values ('DEV1', 1, 1, 2)`,
    `insert into evidence_hold (archive_id, device_id, channel, from_ms, to_ms, reason, held_by, held_at_ms)
       values ('DEV1', 'DEV1', 0, 1, 2, 'accident', 'chief', 3)`,
  ],
  7: [`insert into recording_removal (archive_id, up_to_ms) values ('GONE', 5)`],
  9: ['insert into alarm_onset (incarnation, alarm, at_ms) values (1, 1, 2)'],
};

/** Version 18 has events in place of alarms. */
const rowsSince18: typeof rowsOfVersion = { 9: [] };

/** Into a database of that version. */
export async function fillVersion(db: Kysely<unknown>, upTo: number): Promise<void> {
  for (let version = 1; version <= upTo; version++) {
    const rows = (upTo < 18 ? undefined : rowsSince18[version]) ?? (upTo < 13 ? undefined : rowsSince13[version]);
    for (const statement of rows ?? rowsOfVersion[version] ?? []) await sql.raw(statement).execute(db);
  }
}

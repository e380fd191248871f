// Records of devices as the calls say them, and back.
import {
  type DeviceFields,
  type DeviceRow,
  type DeviceState,
  deviceFieldsOf,
} from '../../../shared/protocol/api/devices.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { DeviceRecord, DeviceRecordFields } from '../../store/devices/deviceRecordRows.ts';
import type { TerminalPort } from './deps.ts';

export function toRow(record: DeviceRecord, terminals: Pick<TerminalPort, 'presence'>): DeviceRow {
  const { onlineSinceMs, lastMessageAtMs } = terminals.presence(record.deviceId);
  const { deviceId, version, groupName, createdAtMs, changedAtMs } = record;
  // No literal behind a spread, which takes six times as long: exports have tens of thousands of rows.
  return Object.assign(toFields(record), {
    deviceid: deviceId,
    version,
    groupName,
    createdAtMs,
    changedAtMs,
    state: stateOf(record, onlineSinceMs),
    onlineSinceMs: wallMs(onlineSinceMs ?? 0),
    lastMessageAtMs: wallMs(lastMessageAtMs ?? 0),
  });
}

function stateOf({ identity }: DeviceRecord, onlineSinceMs: number | undefined): DeviceState {
  if (onlineSinceMs !== undefined) return 'online';
  return identity === undefined ? 'never' : 'offline';
}

export function toFields(record: DeviceRecordFields): DeviceFields {
  const { edition = '', deviceGroup: group = null } = record;
  const fields = deviceFieldsOf(record);
  return Object.assign(fields, { edition, group });
}

export function fromFields({ edition, group, ...fields }: DeviceFields): DeviceRecordFields {
  const { name, plate, terminal } = fields;
  return {
    ...fields,
    name: name.trim(),
    plate: plate.trim(),
    terminal: terminal.trim(),
    edition: edition === '' ? undefined : edition,
    deviceGroup: group ?? undefined,
  };
}

/** Whether the terminal's connection was opened with values that no longer apply. Names, notes and groups are not among them. */
export function concernsTerminal(before: DeviceRecordFields, after: DeviceRecordFields): boolean {
  const concerns = ['chn', 'installchs', 'anyMediaAddress', 'channelsFromZero', 'disabled'] as const;
  return concerns.some((name) => before[name] !== after[name]);
}

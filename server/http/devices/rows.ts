// Records of devices as the lists of calls say them.
import type { DeviceRow, DeviceState } from '../../../shared/protocol/api/devices.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { toFields } from '../../devices/deviceFields.ts';
import type { DeviceRecord } from '../../store/devices/deviceRecordRows.ts';
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

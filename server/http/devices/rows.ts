// Records of devices as the calls say them, and back.
import type { DeviceFields, DeviceIcon, DeviceRow, DeviceState } from '../../../shared/protocol/api/devices.ts';
import type { DeviceRecord, DeviceRecordFields } from '../../store/devices/deviceRecordRows.ts';
import type { TerminalPort } from './deps.ts';

export function toRow(record: DeviceRecord, terminals: Pick<TerminalPort, 'presence'>): DeviceRow {
  const { onlineSinceMs, lastMessageAtMs } = terminals.presence(record.deviceId);
  const { deviceId, version, groupName, createdAtMs, changedAtMs } = record;
  return {
    ...toFields(record),
    deviceid: deviceId,
    version,
    groupName,
    createdAtMs,
    changedAtMs,
    state: stateOf(record, onlineSinceMs),
    onlineSinceMs: onlineSinceMs ?? 0,
    lastMessageAtMs: lastMessageAtMs ?? 0,
  };
}

function stateOf({ identity }: DeviceRecord, onlineSinceMs: number | undefined): DeviceState {
  if (onlineSinceMs !== undefined) return 'online';
  return identity === undefined ? 'never' : 'offline';
}

export function toFields(record: DeviceRecordFields): DeviceFields {
  const { name, plate, terminal, model, sim, chn, channelNames } = record;
  const { installchs, ptzchs, talkchs, timeZone, notes, anyMediaAddress, channelsFromZero, disabled } = record;
  return {
    name,
    plate,
    terminal,
    model,
    sim,
    chn,
    channelNames,
    installchs,
    ptzchs,
    talkchs,
    timeZone,
    notes,
    anyMediaAddress,
    channelsFromZero,
    disabled,
    edition: record.edition ?? '',
    group: record.deviceGroup ?? null,
    icon: record.icon as DeviceIcon | '',
  };
}

export function fromFields(fields: DeviceFields): DeviceRecordFields {
  const { name, plate, terminal, model, sim, chn, channelNames } = fields;
  const { installchs, ptzchs, talkchs, timeZone, icon, notes, anyMediaAddress, channelsFromZero, disabled } = fields;
  return {
    name: name.trim(),
    plate: plate.trim(),
    terminal: terminal.trim(),
    model,
    sim,
    chn,
    channelNames,
    installchs,
    ptzchs,
    talkchs,
    timeZone,
    icon,
    notes,
    anyMediaAddress,
    channelsFromZero,
    disabled,
    edition: fields.edition === '' ? undefined : fields.edition,
    deviceGroup: fields.group ?? undefined,
  };
}

/** Whether the terminal's connection was opened under what no longer holds. Names, notes and groups are none of it. */
export function concernsTerminal(before: DeviceRecordFields, after: DeviceRecordFields): boolean {
  const concerns = ['chn', 'installchs', 'anyMediaAddress', 'channelsFromZero', 'disabled'] as const;
  return concerns.some((name) => before[name] !== after[name]);
}

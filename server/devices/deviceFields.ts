// The fields of a device as calls have them, and as its record has them.
import { type DeviceFields, deviceFieldsOf } from '../../shared/protocol/api/devices.ts';
import type { DeviceRecordFields } from '../store/devices/deviceRecordRows.ts';

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

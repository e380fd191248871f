// What a device's fields may be: the page says it beside the field, the gateway refuses by it, and an import says it of
// each row.
import {
  DEVICE_EDITIONS,
  DEVICE_FIELD_NAMES,
  DEVICE_ICONS,
  DEVICE_LINE_LENGTHS,
  type DeviceFields,
  MAX_DEVICE_CHANNELS,
} from './api/devices.ts';
import { isDeviceId } from './deviceId.ts';
import { isTimeZone } from './timeZones.ts';

export type FieldFault =
  | 'required'
  | 'too-long'
  | 'out-of-range'
  | 'bad-format'
  | 'not-allowed'
  /** A number that a spreadsheet has rounded, such as 1.38E+10. */
  | 'rounded'
  | 'taken'
  | 'unknown';

export type FieldFaults = Partial<Record<keyof DeviceFields | 'deviceid', FieldFault>>;

/** Longest texts, in characters. */
export const DeviceLimit = { ...DEVICE_LINE_LENGTHS, channelName: 64, notes: 2_000 } as const;

export function faultsOfDevice(device: DeviceFields): FieldFaults {
  const { chn } = device;
  const faults: FieldFaultsOrNone = {
    ...lineFaults(device),
    terminal: terminalFault(device.terminal),
    edition: device.edition === '' || DEVICE_EDITIONS.includes(device.edition) ? undefined : 'not-allowed',
    chn: Number.isInteger(chn) && chn >= 0 && chn <= MAX_DEVICE_CHANNELS ? undefined : 'out-of-range',
    channelNames: channelNamesFault(device.channelNames),
    installchs: bitsFault(device.installchs, chn),
    ptzchs: bitsFault(device.ptzchs, chn),
    talkchs: bitsFault(device.talkchs, chn),
    timeZone: isTimeZone(device.timeZone) ? undefined : 'not-allowed',
    icon: device.icon === '' || DEVICE_ICONS.includes(device.icon) ? undefined : 'not-allowed',
    notes: notesFault(device.notes),
  };
  if (device.name.trim() === '') faults.name = 'required';
  return Object.fromEntries(
    DEVICE_FIELD_NAMES.flatMap((name) => (faults[name] === undefined ? [] : [[name, faults[name]]])),
  );
}

type FieldFaultsOrNone = Partial<Record<keyof DeviceFields, FieldFault | undefined>>;

function lineFaults(device: DeviceFields): FieldFaultsOrNone {
  const lines = Object.keys(DEVICE_LINE_LENGTHS) as (keyof typeof DEVICE_LINE_LENGTHS)[];
  return Object.fromEntries(lines.map((name) => [name, textFault(device[name], DEVICE_LINE_LENGTHS[name])]));
}

export function deviceIdFault(deviceId: string): FieldFault | undefined {
  if (deviceId === '') return 'required';
  if (ROUNDED.test(deviceId)) return 'rounded';
  if (deviceId !== deviceId.trim()) return 'bad-format';
  if (deviceId.length > 64) return 'too-long';
  return isDeviceId(deviceId) ? undefined : 'bad-format';
}

export function groupNameFault(name: string): FieldFault | undefined {
  return name.trim() === '' ? 'required' : textFault(name, DeviceLimit.name);
}

const ROUNDED = /^\d+([.,]\d+)?E\+\d+$/i;

/** Decimal digits, or the 12 or 20 digits of a terminal's field with some that are hexadecimal. */
function terminalFault(text: string): FieldFault | undefined {
  if (text === '' || /^\d{1,20}$/.test(text) || /^([0-9a-f]{12}|[0-9a-f]{20})$/i.test(text)) return undefined;
  if (ROUNDED.test(text)) return 'rounded';
  return /^[0-9a-f]+$/i.test(text) ? 'too-long' : 'bad-format';
}

/** One name for a terminal, however its digits are written. */
export function canonicalTerminalText(text: string): string {
  return /^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text.toLowerCase();
}

function textFault(text: string, maximum: number): FieldFault | undefined {
  if (/[\p{Cc}\p{Cs}]/u.test(text)) return 'bad-format';
  return text.length > maximum ? 'too-long' : undefined;
}

function notesFault(text: string): FieldFault | undefined {
  return textFault(text.replace(/[\n\t]/g, ''), DeviceLimit.notes);
}

function channelNamesFault(names: readonly string[]): FieldFault | undefined {
  if (names.length > MAX_DEVICE_CHANNELS) return 'out-of-range';
  return names.map((name) => textFault(name, DeviceLimit.channelName)).find((fault) => fault !== undefined);
}

/** With a count that the terminal says, bits are for as many channels as there can be. */
function bitsFault(bits: string, chn: number): FieldFault | undefined {
  if (!/^[01]*$/.test(bits)) return 'bad-format';
  return bits.length > (chn === 0 ? MAX_DEVICE_CHANNELS : chn) ? 'bad-format' : undefined;
}

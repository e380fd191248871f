// A device as the form has it: what is typed, what is wrong with it, what is sent. No React here.
import type { DeviceRecording } from '../../../../shared/protocol/api/deviceRecording.ts';
import {
  BLANK_DEVICE,
  type DeviceDetail,
  type DeviceFields,
  deviceFieldsOf,
} from '../../../../shared/protocol/api/devices.ts';
import { deviceIdFault, type FieldFault, faultsOfDevice } from '../../../../shared/protocol/deviceRules.ts';

/** Counts of channels are null while nothing is typed and NaN for what is no number. */
export type DeviceValues = Omit<DeviceFields, 'chn'> & {
  readonly deviceid: string;
  readonly chn: number | null;
  readonly recording: DeviceRecording;
};

const NO_RECORDING: DeviceRecording = { device: null, channels: [] };

export function blankDevice(group: number | null): DeviceValues {
  return { ...BLANK_DEVICE, deviceid: '', group, recording: NO_RECORDING };
}

export function valuesOf(detail: DeviceDetail): DeviceValues {
  const { deviceid, recording } = detail;
  return { ...deviceFieldsOf(detail), deviceid, recording };
}

export function fieldsOf({ deviceid: _, recording: __, chn, ...rest }: DeviceValues): DeviceFields {
  return { ...rest, chn: chn ?? 0 };
}

export type DeviceFaults = Partial<Record<keyof DeviceValues, FieldFault>>;

export function deviceFaults(values: DeviceValues, isNew: boolean): DeviceFaults {
  const idFault = isNew ? deviceIdFault(values.deviceid) : undefined;
  return {
    ...faultsOfDevice({ ...fieldsOf(values), chn: values.chn ?? Number.NaN }),
    ...(values.chn === null ? { chn: 'required' as const } : {}),
    ...(idFault === undefined ? {} : { deviceid: idFault }),
    ...(isNew && values.group === null ? { group: 'required' as const } : {}),
  };
}

/** A field that reports a fault beyond those that the shared forms have words for. */
export function wordedFault(fault: FieldFault): string {
  return fault === 'rounded' ? 'bad-format' : fault;
}

export const DEVICE_TABS = ['general', 'channels', 'recording', 'connection'] as const;
export type DeviceTab = (typeof DEVICE_TABS)[number];

const CHANNEL_FIELDS: readonly string[] = ['chn', 'channelNames', 'installchs', 'ptzchs', 'talkchs'];

export function tabOf(field: string): DeviceTab {
  if (CHANNEL_FIELDS.includes(field)) return 'channels';
  return field === 'recording' ? 'recording' : 'general';
}

/** With a channel count reported by the terminal, flags can be set for as many channels as have any, and at least for this many. */
const SOME_CHANNELS = 8;

export interface ChannelRow {
  readonly channel: number;
  readonly name: string;
  readonly installed: boolean;
  readonly ptz: boolean;
  readonly talk: boolean;
}

type ChannelFields = Pick<DeviceValues, 'chn' | 'channelNames' | 'installchs' | 'ptzchs' | 'talkchs'>;

export function channelRows(values: ChannelFields): readonly ChannelRow[] {
  const { chn, channelNames, installchs, ptzchs, talkchs } = values;
  const set = Math.max(channelNames.length, installchs.length, ptzchs.length, talkchs.length);
  const requested = chn === 0 ? Math.max(SOME_CHANNELS, set) : (chn ?? 0);
  const count = requested > 0 && requested <= 32 ? requested : 0;
  return Array.from({ length: count }, (_, at) => ({
    channel: at + 1,
    name: channelNames[at] ?? '',
    // Nothing said means that there is a camera.
    installed: installchs[at] !== '0',
    ptz: ptzchs[at] === '1',
    talk: talkchs[at] === '1',
  }));
}

export function withChannel(values: ChannelFields, changed: ChannelRow): Omit<ChannelFields, 'chn'> {
  const rows = channelRows(values).map((row) => (row.channel === changed.channel ? changed : row));
  return {
    channelNames: withoutEnd(rows.map(({ name }) => name)),
    installchs: rows.every(({ installed }) => installed) ? '' : bits(rows, ({ installed }) => installed),
    ptzchs: rows.some(({ ptz }) => ptz) ? bits(rows, ({ ptz }) => ptz) : '',
    talkchs: rows.some(({ talk }) => talk) ? bits(rows, ({ talk }) => talk) : '',
  };
}

/** Fewer channels leave no flags behind for those that are gone. */
export function withCount(values: ChannelFields, chn: number | null): ChannelFields {
  const { channelNames, installchs, ptzchs, talkchs } = values;
  if (chn === null || Number.isNaN(chn) || chn <= 0) return { ...values, chn };
  const cut = (text: string): string => text.slice(0, chn);
  const cuts = { installchs: cut(installchs), ptzchs: cut(ptzchs), talkchs: cut(talkchs) };
  return { chn, channelNames: channelNames.slice(0, chn), ...cuts };
}

function bits(rows: readonly ChannelRow[], isSet: (row: ChannelRow) => boolean): string {
  return rows.map((row) => (isSet(row) ? '1' : '0')).join('');
}

function withoutEnd(names: readonly string[]): readonly string[] {
  const last = names.findLastIndex((name) => name !== '');
  return names.slice(0, last + 1);
}

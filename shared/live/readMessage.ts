// What a message of the live updates means. Total: what is no message of ours is none, a row without an id is left out.
import type { LiveCounts, LiveDevice, LiveServerMessage } from '../protocol/liveUpdates.ts';

type Fields = Readonly<Record<string, unknown>>;

export function readLiveMessage(text: string): LiveServerMessage | undefined {
  const fields = fieldsOf(parse(text));
  switch (fields.type) {
    case 'snapshot':
      return { type: 'snapshot', devices: readDevices(fields.devices), ...countsOf(fields.counts) };
    case 'changes':
      return {
        type: 'changes',
        devices: readDevices(fields.devices),
        removed: texts(fields.removed),
        ...countsOf(fields.counts),
      };
    case 'changed':
      return { type: 'changed', records: texts(fields.records) };
    case 'alive':
      return { type: 'alive' };
    default:
      return undefined;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readDevices(value: unknown): readonly LiveDevice[] {
  return Array.isArray(value) ? value.map(fieldsOf).flatMap(readDevice) : [];
}

function readDevice(fields: Fields): readonly LiveDevice[] {
  const { id, state } = fields;
  if (typeof id !== 'string' || id === '') return [];
  return [
    {
      // What the gateway says beyond this is handed on: pages of later versions know it.
      ...fields,
      id,
      name: text(fields.name),
      plate: text(fields.plate),
      group: number(fields.group) ?? 0,
      state: state === 'online' || state === 'offline' ? state : 'never',
      isMoving: fields.isMoving === true,
      inAlarm: fields.inAlarm === true,
      videoLoss: fields.videoLoss === true,
      at: number(fields.at) ?? 0,
      lat: number(fields.lat) ?? null,
      lng: number(fields.lng) ?? null,
      speedKmh: number(fields.speedKmh) ?? 0,
      heading: number(fields.heading) ?? 0,
    },
  ];
}

function countsOf(value: unknown): { counts: LiveCounts } | Record<string, never> {
  if (typeof value !== 'object' || value === null) return {};
  const counts = Object.entries(value).filter((entry): entry is [string, number] => number(entry[1]) !== undefined);
  return { counts: Object.fromEntries(counts) };
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

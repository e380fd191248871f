import type { RecordedChannel, RecordedRange } from '../../protocol/api/recordings.ts';
import { type ApiResult, mapResult, requestJson } from '../client.ts';
import type { DeviceQuery } from '../devices/device.ts';

/** What is recorded of a device on the server in a stretch of time. An addition of ours to the contract. */
export async function getRecordedRanges(
  query: DeviceQuery,
  { fromMs, toMs }: RecordedRange,
  signal?: AbortSignal,
): Promise<ApiResult<readonly RecordedChannel[]>> {
  const { username, credential, deviceid } = query;
  const window = { from: Math.max(0, Math.floor(fromMs)), to: Math.max(1, Math.ceil(toMs)) };
  const result = await requestJson<unknown>('/api/playback/local/ranges', {
    query: { username, credential, deviceid, ...window },
    signal,
  });
  return mapResult(result, readRecordedChannels);
}

/** Total: what is no channel or no range is left out. */
export function readRecordedChannels(data: unknown): readonly RecordedChannel[] {
  return list(field(data, 'channels')).flatMap((entry) => {
    const channel = field(entry, 'channel');
    if (typeof channel !== 'number') return [];
    const ranges = list(field(entry, 'ranges')).flatMap(readRange);
    const fetched = list(field(entry, 'fetched')).flatMap(readRange);
    return [fetched.length === 0 ? { channel, ranges } : { channel, ranges, fetched }];
  });
}

function readRange(entry: unknown): RecordedRange[] {
  const fromMs = field(entry, 'fromMs');
  const toMs = field(entry, 'toMs');
  return typeof fromMs === 'number' && typeof toMs === 'number' && fromMs < toMs ? [{ fromMs, toMs }] : [];
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

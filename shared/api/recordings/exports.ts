import type { ExportState } from '../../protocol/api/recordings.ts';
import { type ApiResult, mapResult, requestJson } from '../client.ts';
import type { DeviceQuery } from '../devices/device.ts';
import { encodeQuery } from '../query.ts';

export interface ExportRequest {
  readonly channels: readonly number[];
  /** Milliseconds since the epoch; half open. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Chosen by the page; names the export in the calls about it. */
  readonly job: string;
}

/** Where the browser downloads the clip from, or the archive of clips. */
export function exportAddress(source: DeviceQuery, { channels, fromMs, toMs, job }: ExportRequest): string {
  const range = { channels: channels.join(','), from: Math.floor(fromMs), to: Math.ceil(toMs), job };
  return `/api/playback/local/export${encodeQuery({ ...source, ...range })}`;
}

export async function getExportState(source: DeviceQuery, job: string): Promise<ApiResult<ExportState>> {
  const query = { ...source, job };
  return mapResult(await requestJson<unknown>('/api/playback/local/export/progress', { query }), readState);
}

export async function cancelExport(source: DeviceQuery, job: string): Promise<ApiResult<unknown>> {
  return requestJson('/api/playback/local/export/cancel', { method: 'POST', query: { ...source, job } });
}

const STATES: readonly string[] = [
  'waiting',
  'running',
  'done',
  'failed',
  'stalled',
  'cancelled',
] satisfies ExportState['state'][];

function readState(data: unknown): ExportState {
  const { state, share } = (typeof data === 'object' && data !== null ? data : {}) as Readonly<Record<string, unknown>>;
  const isKnown = typeof state === 'string' && STATES.includes(state);
  return {
    state: isKnown ? (state as ExportState['state']) : 'failed',
    share: typeof share === 'number' ? Math.min(Math.max(share, 0), 1) : 0,
  };
}

// The dashboard's calls. Answers of another server behind the same contract are looked at before they are used.
import {
  type DashboardFigures,
  type DeviceDetails,
  MAX_WALL_CHANNELS,
  type MapSource,
  type OnlineRate,
  type SystemFigures,
  type Wall,
} from '../protocol/api/fleet.ts';
import { NO_DEVICES } from '../protocol/api/liveUpdates.ts';
import { type ApiResult, mapResult, requestJson } from './client.ts';

type Fields = Readonly<Record<string, unknown>>;

export async function getFigures(signal?: AbortSignal): Promise<ApiResult<DashboardFigures>> {
  return mapResult(await requestJson<unknown>('/api/dashboard/figures', { signal }), readFigures);
}

/** The devices of the current group that had an alarm of this kind in the last 24 hours, the busiest first. */
export async function getAlarmDevices(alarm: number): Promise<ApiResult<readonly string[]>> {
  const result = await requestJson<unknown>('/api/dashboard/alarmdevices', { query: { alarm } });
  return mapResult(result, (data) => listOf(data).map(({ deviceid }) => textOf(deviceid)));
}

/** For holders of `system`. */
export async function getSystemFigures(signal?: AbortSignal): Promise<ApiResult<SystemFigures>> {
  return requestJson<SystemFigures>('/api/dashboard/system', { signal });
}

export async function getMapSource(signal?: AbortSignal): Promise<ApiResult<MapSource>> {
  return mapResult(await requestJson<unknown>('/api/dashboard/map', { signal }), (data) => {
    const { styleUrl, pmtilesUrl, attribution } = fieldsOf(data);
    return { styleUrl: textOf(styleUrl), pmtilesUrl: pathOf(pmtilesUrl), attribution: textOf(attribution) };
  });
}

export const NO_MAP_SOURCE: MapSource = { styleUrl: '', pmtilesUrl: '', attribution: '' };

export async function getDeviceDetails(deviceid: string, signal?: AbortSignal): Promise<ApiResult<DeviceDetails>> {
  const result = await requestJson<unknown>('/api/dashboard/device', { query: { deviceid }, signal });
  return mapResult(result, (data) => {
    const fields = fieldsOf(data);
    return {
      deviceid,
      name: textOf(fields.name),
      plate: textOf(fields.plate),
      chn: numberOf(fields.chn),
      installchs: textOf(fields.installchs),
      livechs: textOf(fields.livechs),
      ptzchs: textOf(fields.ptzchs),
      talkchs: textOf(fields.talkchs),
    };
  });
}

/** The parts of a video page's address that open a device with this session: `deviceid/username/credential`, encoded. */
export async function openDeviceView(deviceid: string): Promise<ApiResult<string>> {
  const body = { deviceid, kinds: ['live', 'playback', 'remote', 'export', 'control'] };
  const result = await requestJson<unknown>('/api/device/view', { method: 'POST', body });
  return mapResult(result, (data) => textOf(fieldsOf(data).link));
}

export async function getWalls(signal?: AbortSignal): Promise<ApiResult<readonly Wall[]>> {
  return mapResult(await requestJson<unknown>('/api/dashboard/walls', { signal }), readWalls);
}

export async function keepWall(wall: Wall): Promise<ApiResult<unknown>> {
  return requestJson<unknown>('/api/dashboard/wall', { method: 'PUT', body: wall });
}

export async function removeWall(name: string): Promise<ApiResult<unknown>> {
  return requestJson<unknown>('/api/dashboard/wall', { method: 'DELETE', query: { name } });
}

function readFigures(data: unknown): DashboardFigures {
  const { atMs, counts, onlineDay, onlineMonth, alarms, busiest } = fieldsOf(data);
  return {
    atMs: numberOf(atMs),
    counts: { ...NO_DEVICES, ...fieldsOf(counts) },
    onlineDay: readRate(onlineDay),
    onlineMonth: readRate(onlineMonth),
    alarms: listOf(alarms).map(({ alarm, count }) => ({ alarm: numberOf(alarm), count: numberOf(count) })),
    busiest: listOf(busiest).map(({ deviceid, name, plate, count }) => ({
      deviceid: textOf(deviceid),
      name: textOf(name),
      plate: textOf(plate),
      count: numberOf(count),
    })),
  };
}

function readRate(data: unknown): OnlineRate {
  const { rate, points, stepMs } = fieldsOf(data);
  return {
    rate: typeof rate === 'number' ? rate : null,
    points: listOf(points).map((point) => ({ atMs: numberOf(point.atMs), rate: numberOf(point.rate) })),
    stepMs: numberOf(stepMs),
  };
}

function readWalls(data: unknown): readonly Wall[] {
  return listOf(data).map(({ name, channels, cycleSeconds }) => ({
    name: textOf(name),
    channels: listOf(channels)
      .map(({ deviceid, channel }) => ({ deviceid: textOf(deviceid), channel: numberOf(channel) }))
      .slice(0, MAX_WALL_CHANNELS),
    cycleSeconds: numberOf(cycleSeconds),
  }));
}

function listOf(data: unknown): readonly Fields[] {
  return Array.isArray(data) ? data.map(fieldsOf) : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A path of this site; '' for an address of another one, which gets no frame token. */
function pathOf(value: unknown): string {
  const text = textOf(value);
  return /^\/(?!\/)/.test(text) ? text : '';
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

// The dashboard's calls.
import {
  DashboardFigures,
  DeviceDetails,
  EventDevices,
  MAX_WALL_CHANNELS,
  MapSource,
  SystemFigures,
  type Wall,
  WallName,
  Walls,
} from '../protocol/api/fleet.ts';
import { type ApiResult, mapResult } from './client.ts';
import { requestRecord } from './requestRecord.ts';

export function getFigures(signal?: AbortSignal): Promise<ApiResult<DashboardFigures>> {
  return requestRecord('/api/dashboard/figures', DashboardFigures, { signal });
}

/** The devices of the current group in which an event of this type began in the last 24 hours, the busiest first. */
export async function getEventDevices(type: string): Promise<ApiResult<readonly string[]>> {
  const result = await requestRecord('/api/dashboard/eventdevices', EventDevices, { query: { type } });
  return mapResult(result, (devices) => devices.map(({ deviceid }) => deviceid));
}

/** Requires the permission `system`. */
export function getSystemFigures(signal?: AbortSignal): Promise<ApiResult<SystemFigures>> {
  return requestRecord('/api/dashboard/system', SystemFigures, { signal });
}

export async function getMapSource(signal?: AbortSignal): Promise<ApiResult<MapSource>> {
  const result = await requestRecord('/api/dashboard/map', MapSource, { signal });
  return mapResult(result, (source) => ({ ...source, pmtilesUrl: pathOf(source.pmtilesUrl) }));
}

export const NO_MAP_SOURCE: MapSource = { styleUrl: '', pmtilesUrl: '', attribution: '' };

export function getDeviceDetails(deviceid: string, signal?: AbortSignal): Promise<ApiResult<DeviceDetails>> {
  return requestRecord('/api/dashboard/device', DeviceDetails, { query: { deviceid }, signal });
}

export async function getWalls(signal?: AbortSignal): Promise<ApiResult<readonly Wall[]>> {
  const result = await requestRecord('/api/dashboard/walls', Walls, { signal });
  return mapResult(result, (walls) => walls.map(shownWall));
}

export function keepWall(wall: Wall): Promise<ApiResult<unknown>> {
  return requestRecord('/api/dashboard/wall', WallName, { method: 'PUT', body: wall });
}

export function removeWall(name: string): Promise<ApiResult<unknown>> {
  return requestRecord('/api/dashboard/wall', WallName, { method: 'DELETE', query: { name } });
}

/** The wall, cut to as many channels as a wall has places. */
function shownWall(wall: Wall): Wall {
  return { ...wall, channels: wall.channels.slice(0, MAX_WALL_CHANNELS) };
}

/** The path, if it is on this site; '' for an address on another site, which gets no frame token. */
function pathOf(text: string): string {
  return /^\/(?!\/)/.test(text) ? text : '';
}

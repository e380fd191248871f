import {
  DEVICE_VIEW_PATH,
  DeviceView,
  LINK_DEVICES_PATH,
  LINK_KINDS,
  LINKS_PATH,
  type LinkDevice,
  LinkDevices,
  type LinkKind,
  LinkRow,
  MadeLink,
  type NewLink,
} from '../protocol/api/links.ts';
import { Nothing } from '../protocol/api/records.ts';
import type { ApiResult } from './client.ts';
import { type ListPage, type ListQuery, requestList } from './list.ts';
import { requestRecord } from './requestRecord.ts';

/** Filters: `state` and `deviceid`. */
export function listLinks(query: ListQuery, signal?: AbortSignal): Promise<ApiResult<ListPage<LinkRow>>> {
  return requestList(LINKS_PATH, LinkRow, query, signal);
}

/** Field codes of a refusal: `unknown`, `required`, `out-of-range`, `not-allowed`, `in-the-past`. */
export function makeLink(link: NewLink): Promise<ApiResult<MadeLink>> {
  return requestRecord(LINKS_PATH, MadeLink, { method: 'POST', body: link });
}

export function revokeLink(id: number): Promise<ApiResult<unknown>> {
  return requestRecord(`${LINKS_PATH}/${id}`, Nothing, { method: 'DELETE' });
}

/** Devices that a link can be made for; the first of them only, so a text narrows the list. */
export function findLinkDevices(search: string, signal?: AbortSignal): Promise<ApiResult<readonly LinkDevice[]>> {
  return requestRecord(LINK_DEVICES_PATH, LinkDevices, { query: { search }, signal });
}

/**
 * With what our own pages open a device's video: `/live/` and the link, for instance. It ends with the session, and
 * opens of the kinds asked for those that the session may have.
 */
export function openDeviceView(
  deviceid: string,
  kinds: readonly LinkKind[] = LINK_KINDS,
  signal?: AbortSignal,
): Promise<ApiResult<DeviceView>> {
  return requestRecord(DEVICE_VIEW_PATH, DeviceView, { method: 'POST', body: { deviceid, kinds }, signal });
}

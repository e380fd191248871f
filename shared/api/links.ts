import {
  DEVICE_VIEW_PATH,
  type DeviceView,
  LINK_DEVICES_PATH,
  LINK_KINDS,
  LINK_STATES,
  LINKS_PATH,
  type LinkDevice,
  type LinkKind,
  type LinkRow,
  type MadeLink,
  type NewLink,
} from '../protocol/api/links.ts';
import { type ApiResult, mapResult, requestJson } from './client.ts';
import { asFields, numberOf, textOf } from './fields.ts';
import { type ListPage, type ListQuery, requestList } from './list.ts';

export function listLinks(query: ListQuery, signal?: AbortSignal): Promise<ApiResult<ListPage<LinkRow>>> {
  return requestList(LINKS_PATH, query, readLink, signal);
}

/** Field codes of a refusal: `unknown`, `required`, `out-of-range`, `in-the-past`. */
export async function makeLink(link: NewLink): Promise<ApiResult<MadeLink>> {
  const result = await requestJson<unknown>(LINKS_PATH, { method: 'POST', body: link });
  return mapResult(result, (data) => {
    const { id, device, username, credential } = asFields(data);
    return { id: numberOf(id), device: textOf(device), username: textOf(username), credential: textOf(credential) };
  });
}

export function revokeLink(id: number): Promise<ApiResult<unknown>> {
  return requestJson(`${LINKS_PATH}/${id}`, { method: 'DELETE' });
}

/** Devices that a link can be made for; the first of them only, so a text narrows the list. */
export async function findLinkDevices(search: string, signal?: AbortSignal): Promise<ApiResult<readonly LinkDevice[]>> {
  const result = await requestJson<unknown>(LINK_DEVICES_PATH, { query: { search }, signal });
  return mapResult(result, (data) => (Array.isArray(data) ? data.flatMap(readDevice) : []));
}

/**
 * With what our own pages open a device's video: `/live/` and the link, for instance. It ends with the session, and
 * opens of the kinds asked for those that the session may have.
 */
export async function openDeviceView(
  deviceid: string,
  kinds: readonly LinkKind[],
  signal?: AbortSignal,
): Promise<ApiResult<DeviceView>> {
  const result = await requestJson<unknown>(DEVICE_VIEW_PATH, { method: 'POST', body: { deviceid, kinds }, signal });
  return mapResult(result, (data) => {
    const { link, kinds: granted } = asFields(data);
    return { link: textOf(link), kinds: kindsOf(granted) };
  });
}

function readLink(row: unknown): LinkRow | undefined {
  const fields = asFields(row);
  const { id, channels, state } = fields;
  if (typeof id !== 'number') return undefined;
  const texts = ['deviceid', 'name', 'plate', 'owner', 'note', 'lastAddress'] as const;
  const numbers = ['createdAtMs', 'untilMs', 'revokedAtMs', 'lastUsedAtMs', 'useCount'] as const;
  return {
    id,
    channels: Array.isArray(channels) ? channels.filter((each) => typeof each === 'number') : [],
    kinds: kindsOf(fields.kinds),
    state: LINK_STATES.find((each) => each === state) ?? 'expired',
    ...(Object.fromEntries(texts.map((name) => [name, textOf(fields[name])])) as Pick<LinkRow, (typeof texts)[number]>),
    ...(Object.fromEntries(numbers.map((name) => [name, numberOf(fields[name])])) as Pick<
      LinkRow,
      (typeof numbers)[number]
    >),
  };
}

function readDevice(row: unknown): LinkDevice[] {
  const { deviceid, name, plate, chn } = asFields(row);
  if (typeof deviceid !== 'string' || deviceid === '') return [];
  return [{ deviceid, name: textOf(name), plate: textOf(plate), chn: Math.max(0, Math.floor(numberOf(chn))) }];
}

function kindsOf(value: unknown): LinkKind[] {
  return Array.isArray(value) ? LINK_KINDS.filter((kind) => value.includes(kind)) : [];
}

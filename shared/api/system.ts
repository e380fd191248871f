import type { ServerInfo } from '../protocol/api/system.ts';
import type { MemberGroup } from '../protocol/api.ts';
import { type ApiResult, mapResult, requestJson } from './client.ts';
import { readMemberGroups, readServerInfo } from './parsers.ts';

export async function getServerInfo(signal?: AbortSignal): Promise<ApiResult<ServerInfo>> {
  return mapResult(await requestJson<unknown>('/api/system/server', { signal }), readServerInfo);
}

/** The user's own groups. Refused without the permission `membergroup`. */
export async function getMemberGroups(signal?: AbortSignal): Promise<ApiResult<readonly MemberGroup[]>> {
  return mapResult(await requestJson<unknown>('/api/system/membergroup', { signal }), readMemberGroups);
}

/** Makes a group the session's current one. */
export async function putOwnMemberGroup(membergroup: number, signal?: AbortSignal): Promise<ApiResult<unknown>> {
  return requestJson('/api/system/member', { method: 'PUT', body: { self: true, membergroup }, signal });
}

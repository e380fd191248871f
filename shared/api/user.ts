import type { LoginState, UserStatus } from '../protocol/api.ts';
import { type ApiResult, mapResult, requestJson } from './client.ts';
import { readUserStatus } from './parsers.ts';

export async function getUserStatus(signal?: AbortSignal): Promise<ApiResult<UserStatus>> {
  return mapResult(await requestJson<unknown>('/api/user/status', { signal }), readUserStatus);
}

/** `login` is true when the server did not end the session after all. */
export async function logOut(signal?: AbortSignal): Promise<ApiResult<LoginState>> {
  const result = await requestJson<Partial<LoginState> | undefined>('/api/user/logout', { signal });
  return mapResult(result, (data) => ({ login: data?.login === true }));
}

/** Signs in; the session comes back as a cookie. Codes of a refusal: `bad-credentials`, `slow-down`. */
export async function logIn(username: string, password: string): Promise<ApiResult<LoginState>> {
  const body = { username, password };
  const result = await requestJson<Partial<LoginState> | undefined>('/api/user/login', { method: 'POST', body });
  return mapResult(result, (data) => ({ login: data?.login === true }));
}

/** The session that asks goes on, the user's other sessions end. */
export async function changeOwnPassword(current: string, next: string): Promise<ApiResult<unknown>> {
  return requestJson('/api/user/password', { method: 'POST', body: { current, next } });
}

/** A short-lived token that stands for this session in the address of a frame whose cookies are blocked. */
export async function requestFrameToken(): Promise<ApiResult<string>> {
  const result = await requestJson<{ readonly sid?: string } | undefined>('/api/user/frametoken', { method: 'POST' });
  return mapResult(result, (data) => data?.sid ?? '');
}

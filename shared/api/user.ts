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

export interface SignInRequest {
  readonly username: string;
  readonly password: string;
  /** Asks for the long session of a wall monitor; given only to members who may have it. */
  readonly wallMonitor: boolean;
}

export interface SignedIn {
  /** The member's own language; undefined when the server knows of none. */
  readonly language: string | undefined;
}

/** Signs in; the session comes back as a cookie. Codes of a refusal: `bad-credentials`, `slow-down`. */
export async function logIn({ username, password, wallMonitor }: SignInRequest): Promise<ApiResult<SignedIn>> {
  const body = { username, password, ...(wallMonitor ? { wallMonitor } : {}) };
  const result = await requestJson<{ readonly language?: unknown } | undefined>('/api/user/login', {
    method: 'POST',
    body,
  });
  return mapResult(result, (data) => ({ language: typeof data?.language === 'string' ? data.language : undefined }));
}

/** Ends all of the user's sessions; the one that asks goes on under a new cookie. Code: `wrong-password`. */
export async function changeOwnPassword(password: string, newPassword: string): Promise<ApiResult<unknown>> {
  return requestJson('/api/user/password', { method: 'POST', body: { password, newPassword } });
}

/** A short-lived token that stands for this session in the address of a frame whose cookies are blocked. */
export async function requestFrameToken(): Promise<ApiResult<string>> {
  const result = await requestJson<{ readonly sid?: string } | undefined>('/api/user/frametoken', { method: 'POST' });
  return mapResult(result, (data) => data?.sid ?? '');
}

import type { LoginState, UserStatus } from '../../protocol/api.ts';
import { type ApiResult, mapResult, requestJson } from '../client.ts';
import { asFields, textOf } from '../fields.ts';
import { dropSid } from '../pageFlags.ts';
import { readUserStatus } from '../parsers.ts';

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
  /** Asks for the long session of a wall display; given only to members who may have it. */
  readonly wallMonitor: boolean;
}

/** The result of a sign-in step: a session, or the step that is still missing, with a ticket for its calls. */
export type SignInStep =
  | {
      readonly kind: 'signed-in';
      /** The member's own language; undefined when the server knows of none. */
      readonly language: string | undefined;
      /** Codes of a second factor that was set up while signing in; shown once. */
      readonly recoveryCodes: readonly string[];
    }
  | { readonly kind: 'code' | 'enrol'; readonly ticket: string };

/**
 * Signs in; the session comes back as a cookie. Ends the page's frame token first, so that neither this call nor what follows
 * belongs to another session. Codes of a refusal: `bad-credentials`, `slow-down`.
 */
export async function logIn({ username, password, wallMonitor }: SignInRequest): Promise<ApiResult<SignInStep>> {
  dropSid();
  return signInBy('/api/user/login', { username, password, ...(wallMonitor ? { wallMonitor } : {}) });
}

/** Sends the code of the second factor, after the password. Codes: `wrong-code`, `sign-in-again`, `slow-down`. */
export function giveCode(ticket: string, code: string): Promise<ApiResult<SignInStep>> {
  return signInBy('/api/user/login/code', { ticket, code });
}

/** Proves a second factor that was set up while signing in, and signs in. */
export function confirmRequiredFactor(ticket: string, code: string): Promise<ApiResult<SignInStep>> {
  return signInBy('/api/user/login/confirm', { ticket, code });
}

async function signInBy(path: string, body: unknown): Promise<ApiResult<SignInStep>> {
  return mapResult(await requestJson<unknown>(path, { method: 'POST', body }), readSignInStep);
}

/** A server that does not know of second factors answers without a step: then the password was enough. */
function readSignInStep(data: unknown): SignInStep {
  const { step, ticket, language, recoveryCodes } = asFields(data);
  if ((step === 'code' || step === 'enrol') && typeof ticket === 'string') return { kind: step, ticket };
  const codes = Array.isArray(recoveryCodes) ? recoveryCodes.map(textOf) : [];
  return { kind: 'signed-in', language: typeof language === 'string' ? language : undefined, recoveryCodes: codes };
}

/** Ends all of the user's sessions; the calling one continues under a new cookie. Code: `wrong-password`. */
export async function changeOwnPassword(password: string, newPassword: string): Promise<ApiResult<unknown>> {
  return requestJson('/api/user/password', { method: 'POST', body: { password, newPassword } });
}

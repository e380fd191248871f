// What users see and change of their own account, and what an invited one does before there is a session.
import type { ListedSession, Profile, SecondFactorState, TotpEnrolment } from '../../protocol/api/accounts.ts';
import { type ApiResult, mapResult, requestJson } from '../client.ts';
import { asFields, numberOf, textOf } from '../fields.ts';
import { readSession } from './membership.ts';
import { readBeginning } from './user.ts';

export async function getProfile(signal?: AbortSignal): Promise<ApiResult<Profile>> {
  return mapResult(await requestJson<unknown>('/api/user/profile', { signal }), readProfile);
}

/** Field codes: `unknown` for a time zone. */
export async function saveProfile({ displayName, language, timeZone }: Profile): Promise<ApiResult<Profile>> {
  const body = { displayName, language, timeZone };
  return mapResult(await requestJson<unknown>('/api/user/profile', { method: 'PUT', body }), readProfile);
}

function readProfile(data: unknown): Profile {
  const { username, displayName, language, timeZone } = asFields(data);
  return {
    username: textOf(username),
    displayName: textOf(displayName),
    language: textOf(language),
    timeZone: textOf(timeZone),
  };
}

export async function getOwnSessions(signal?: AbortSignal): Promise<ApiResult<readonly ListedSession[]>> {
  const result = await requestJson<unknown>('/api/user/sessions', { signal });
  return mapResult(result, (data) => (Array.isArray(data) ? data : []).map(readSession));
}

export function endOwnSession(id: string): Promise<ApiResult<unknown>> {
  return requestJson(`/api/user/sessions/${id}`, { method: 'DELETE' });
}

export function endOtherSessions(): Promise<ApiResult<unknown>> {
  return requestJson('/api/user/sessions', { method: 'DELETE' });
}

export async function getSecondFactor(signal?: AbortSignal): Promise<ApiResult<SecondFactorState>> {
  return mapResult(await requestJson<unknown>('/api/user/secondfactor', { signal }), (data) => {
    const { isEnrolled, isRequired, recoveryCodesLeft } = asFields(data);
    return {
      isEnrolled: isEnrolled === true,
      isRequired: isRequired === true,
      recoveryCodesLeft: numberOf(recoveryCodesLeft),
    };
  });
}

/** What proves that it is the account's owner who changes the second factor. */
export interface OwnProof {
  readonly password: string;
  /** Of the second factor that there is, or a recovery code; '' where there is none. */
  readonly code: string;
}

/** Codes: `wrong-password`, `code-required`, `wrong-code`, `slow-down`. */
export async function beginSecondFactor(proof: OwnProof): Promise<ApiResult<TotpEnrolment>> {
  const body = proofBody(proof);
  return readBeginning(await requestJson<unknown>('/api/user/secondfactor', { method: 'POST', body }));
}

/** Gives the recovery codes, once. */
export async function confirmSecondFactor(code: string): Promise<ApiResult<readonly string[]>> {
  const result = await requestJson<unknown>('/api/user/secondfactor/confirm', { method: 'POST', body: { code } });
  return mapResult(result, (data) => {
    const { recoveryCodes } = asFields(data);
    return Array.isArray(recoveryCodes) ? recoveryCodes.map(textOf) : [];
  });
}

/** The same codes. */
export function removeSecondFactor(proof: OwnProof): Promise<ApiResult<unknown>> {
  return requestJson('/api/user/secondfactor/remove', { method: 'POST', body: proofBody(proof) });
}

function proofBody({ password, code }: OwnProof) {
  return code === '' ? { password } : { password, code };
}

export interface Invited {
  readonly username: string;
  readonly displayName: string;
  readonly language: string;
}

/** Code: `no-such-invitation`. */
export async function lookAtInvitation(token: string, signal?: AbortSignal): Promise<ApiResult<Invited>> {
  const result = await requestJson<unknown>('/api/user/invitation', { method: 'POST', body: { token }, signal });
  return mapResult(result, (data) => {
    const { username, displayName, language } = asFields(data);
    return { username: textOf(username), displayName: textOf(displayName), language: textOf(language) };
  });
}

export function acceptInvitation(token: string, password: string): Promise<ApiResult<unknown>> {
  return requestJson('/api/user/invitation/accept', { method: 'POST', body: { token, password } });
}

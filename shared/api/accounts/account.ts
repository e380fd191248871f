// What users see and change in their own accounts, and what an invited member does before there is a session.
import { EndedSessions, type ListedSession } from '../../protocol/api/accounts.ts';
import {
  INVITATION_PATH,
  InvitationAccepted,
  Invited,
  OWN_SESSIONS_PATH,
  OwnSessions,
  PROFILE_PATH,
  Profile,
  RecoveryCodes,
  SECOND_FACTOR_PATH,
  type SecondFactorProof,
  SecondFactorState,
} from '../../protocol/api/ownAccount.ts';
import { Nothing } from '../../protocol/api/records.ts';
import { TotpEnrolment } from '../../protocol/api/signIn.ts';
import { type ApiResult, mapResult } from '../client.ts';
import { requestRecord } from '../requestRecord.ts';

export function getProfile(signal?: AbortSignal): Promise<ApiResult<Profile>> {
  return requestRecord(PROFILE_PATH, Profile, { signal });
}

/** Field codes: `unknown` for a time zone. */
export function saveProfile({ displayName, language, timeZone }: Profile): Promise<ApiResult<Profile>> {
  return requestRecord(PROFILE_PATH, Profile, { method: 'PUT', body: { displayName, language, timeZone } });
}

export function getOwnSessions(signal?: AbortSignal): Promise<ApiResult<readonly ListedSession[]>> {
  return requestRecord(OWN_SESSIONS_PATH, OwnSessions, { signal });
}

export function endOwnSession(id: string): Promise<ApiResult<unknown>> {
  return requestRecord(`${OWN_SESSIONS_PATH}/${id}`, Nothing, { method: 'DELETE' });
}

export function endOtherSessions(): Promise<ApiResult<unknown>> {
  return requestRecord(OWN_SESSIONS_PATH, EndedSessions, { method: 'DELETE' });
}

export function getSecondFactor(signal?: AbortSignal): Promise<ApiResult<SecondFactorState>> {
  return requestRecord(SECOND_FACTOR_PATH, SecondFactorState, { signal });
}

/** Proof that the account's owner is the one changing the second factor. */
export interface OwnProof {
  readonly password: string;
  /** Code of the current second factor, or a recovery code; '' if there is no second factor. */
  readonly code: string;
}

/** Codes: `wrong-password`, `code-required`, `wrong-code`, `slow-down`. */
export function beginSecondFactor(proof: OwnProof): Promise<ApiResult<TotpEnrolment>> {
  return requestRecord(SECOND_FACTOR_PATH, TotpEnrolment, { method: 'POST', body: proofBody(proof) });
}

/** Returns the recovery codes, once. */
export async function confirmSecondFactor(code: string): Promise<ApiResult<readonly string[]>> {
  const options = { method: 'POST', body: { code } } as const;
  const result = await requestRecord(`${SECOND_FACTOR_PATH}/confirm`, RecoveryCodes, options);
  return mapResult(result, ({ recoveryCodes }) => recoveryCodes);
}

/** Codes: as for `beginSecondFactor`. */
export function removeSecondFactor(proof: OwnProof): Promise<ApiResult<unknown>> {
  return requestRecord(`${SECOND_FACTOR_PATH}/remove`, Nothing, { method: 'POST', body: proofBody(proof) });
}

/** The proof in the form that the calls take. */
export function proofBody({ password, code }: OwnProof): SecondFactorProof {
  return code === '' ? { password } : { password, code };
}

/** Code: `no-such-invitation`. */
export function lookAtInvitation(token: string, signal?: AbortSignal): Promise<ApiResult<Invited>> {
  return requestRecord(INVITATION_PATH, Invited, { method: 'POST', body: { token }, signal });
}

export function acceptInvitation(token: string, password: string): Promise<ApiResult<unknown>> {
  return requestRecord(`${INVITATION_PATH}/accept`, InvitationAccepted, { method: 'POST', body: { token, password } });
}

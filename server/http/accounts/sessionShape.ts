// Sessions on the wire.
import { Type } from 'typebox';
import type { ListedSession as ShownSession } from '../../../shared/protocol/api/accounts.ts';
import type { ListedSession } from '../../store/accounts/sessionList.ts';

export const SessionId = Type.Object({ id: Type.String({ pattern: '^[\\da-f]{1,64}$' }) });

export const SessionAnswer = Type.Object({
  id: Type.String(),
  memberId: Type.Integer(),
  username: Type.String(),
  displayName: Type.String(),
  createdAtMs: Type.Integer(),
  lastSeenAtMs: Type.Integer(),
  endsAtMs: Type.Integer(),
  wallMonitor: Type.Boolean(),
  address: Type.String(),
  userAgent: Type.String(),
  isCurrent: Type.Boolean(),
  mayEnd: Type.Boolean(),
});

export const NO_SESSION = { status: 404, code: 'no-such-session', message: 'This session has already ended.' } as const;

/** `current`: the hash of the caller's own. */
export function showSession(
  session: ListedSession,
  { current, mayEnd }: { readonly current: string; readonly mayEnd: boolean },
): ShownSession {
  const { handle, userId, ...shown } = session;
  return { ...shown, id: handle, memberId: userId, isCurrent: current.startsWith(handle), mayEnd };
}

import type { ListedSession } from '../../../shared/protocol/api/accounts.ts';
import type { OpenSession } from '../../store/accounts/sessionList.ts';

/** The session as this caller may see it. `current`: the hash of the caller's own. */
export function showSession(
  session: OpenSession,
  { current, mayEnd }: { readonly current: string; readonly mayEnd: boolean },
): ListedSession {
  const { handle, userId, ...shown } = session;
  return { ...shown, id: handle, memberId: userId, isCurrent: current.startsWith(handle), mayEnd };
}

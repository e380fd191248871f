import type { ListedSession } from '../../../shared/protocol/api/accounts.ts';
import type { OpenSession } from '../../store/accounts/sessionList.ts';

/** As this caller may see the session. `current`: the hash of the caller's own. */
export function showSession(
  session: OpenSession,
  { current, mayEnd }: { readonly current: string; readonly mayEnd: boolean },
): ListedSession {
  const { handle, userId, ...shown } = session;
  return { ...shown, id: handle, memberId: userId, isCurrent: current.startsWith(handle), mayEnd };
}

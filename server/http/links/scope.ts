// Whose links a caller manages.
import { Permission } from '../../../shared/protocol/permissions.ts';
import type { LinkScope } from '../../store/links/linkList.ts';
import type { Caller } from '../kernel/recognise.ts';

/** One's own, wherever their devices are by now; with `system` also those of others for devices of the current group. */
export function linkScopeOf({ user, session }: Caller): LinkScope {
  const isAdministrator = user.permissions.includes(Permission.System);
  return { ownerId: user.id, ...(isAdministrator ? { memberGroup: session.memberGroup ?? NO_GROUP } : {}) };
}

/** No group has this number. */
export const NO_GROUP = 0;

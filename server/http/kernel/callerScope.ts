// Whose is this: what a caller reaches, decided by the groups that the caller and the session belong to.
import { Permission } from '../../../shared/protocol/permissions.ts';
import { NO_GROUP } from '../../noGroup.ts';
import type { Caller } from './recognise.ts';

export interface CallerScope {
  readonly userId: number;
  /** Reaches beyond the own groups: the permission `system`. */
  readonly isAdministrator: boolean;
  /** The session's current member group, whose devices are shown; NO_GROUP for a caller who belongs to none. */
  readonly memberGroup: number;
  /** All member groups of the caller. */
  readonly memberGroups: readonly number[];
}

export function scopeOf({ user, session, groups }: Caller): CallerScope {
  return {
    userId: user.id,
    isAdministrator: user.permissions.includes(Permission.System),
    memberGroup: session.memberGroup ?? NO_GROUP,
    memberGroups: groups.map(({ serialno }) => serialno),
  };
}

// What rules of notifications are decided by, as it is known at one moment.
import type { WeekSchedule } from '../../../shared/protocol/api/weekWindows.ts';
import type { Severity } from '../../../shared/protocol/events/eventWords.ts';
import type { StoredNotifyMember } from '../../store/notify/notifyMembers.ts';
import type { NotifyDevice } from '../../store/notify/notifyPlaces.ts';
import type { NamedSender } from '../../store/notify/notifySenderNames.ts';
import type { GroupParents, RuleIndex } from './ruleIndex.ts';

/** An event as far as rules go by it. */
export interface ToldEvent {
  /** Undefined: the gateway itself. */
  readonly device: { readonly archiveNumber: number } | undefined;
  readonly type: string;
  readonly severity: Severity;
  readonly beginAtMs: number;
  readonly isLate: boolean;
}

export interface NotifyFacts {
  readonly rules: RuleIndex;
  readonly parents: GroupParents;
  readonly members: ReadonlyMap<number, StoredNotifyMember>;
  /** By member group and role, for rules that name roles. */
  readonly membersByRole: ReadonlyMap<string, readonly StoredNotifyMember[]>;
  readonly senders: ReadonlyMap<number, NamedSender>;
  /** By archive number. Disabled ones are left out: their events are shown to nobody. */
  readonly devices: ReadonlyMap<number, NotifyDevice>;
  /** Which member groups own a device group. */
  readonly owners: ReadonlyMap<number, ReadonlySet<number>>;
}

/** Hours of the week in a zone; '' for the gateway's own. */
export interface Hours {
  readonly schedule: WeekSchedule;
  readonly timeZone: string;
}

export const roleKey = (memberGroup: number, role: number): string => `${memberGroup}/${role}`;

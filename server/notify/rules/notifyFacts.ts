// The facts on which notification rules decide, as they are known at one moment.
import type { WeekSchedule } from '../../../shared/protocol/api/weekWindows.ts';
import type { Severity } from '../../../shared/protocol/events/eventWords.ts';
import type { StoredNotifyMember } from '../../store/notify/notifyMembers.ts';
import type { NotifyDevice } from '../../store/notify/notifyPlaces.ts';
import type { NamedSender } from '../../store/notify/notifySenderNames.ts';
import type { GroupParents, RuleIndex } from './ruleIndex.ts';

/** The properties of an event that rules use. */
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
  /** Members by member group and role, for rules that name roles. */
  readonly membersByRole: ReadonlyMap<string, readonly StoredNotifyMember[]>;
  readonly senders: ReadonlyMap<number, NamedSender>;
  /** Devices by archive number. Disabled ones are left out: nobody sees their events. */
  readonly devices: ReadonlyMap<number, NotifyDevice>;
  /** Member groups that own a device group. */
  readonly owners: ReadonlyMap<number, ReadonlySet<number>>;
}

/** Hours of the week in a zone; '' for the gateway's own. */
export interface Hours {
  readonly schedule: WeekSchedule;
  readonly timeZone: string;
}

export const roleKey = (memberGroup: number, role: number): string => `${memberGroup}/${role}`;

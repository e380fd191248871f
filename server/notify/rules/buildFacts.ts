// Converts stored data to the facts on which rules decide. Pure.
import type { StoredNotifyMember } from '../../store/notify/notifyMembers.ts';
import type { NotifyPlaces } from '../../store/notify/notifyPlaces.ts';
import type { StoredNotifyRule } from '../../store/notify/notifyRules.ts';
import type { NamedSender } from '../../store/notify/notifySenderNames.ts';
import { type NotifyFacts, roleKey } from './notifyFacts.ts';
import { RuleIndex } from './ruleIndex.ts';

export interface StoredFacts {
  readonly rules: readonly StoredNotifyRule[];
  readonly members: readonly StoredNotifyMember[];
  readonly senders: readonly NamedSender[];
  readonly places: NotifyPlaces;
}

export const NO_FACTS: NotifyFacts = buildFacts({
  rules: [],
  members: [],
  senders: [],
  places: { devices: [], parents: new Map(), owners: new Map() },
});

export function buildFacts({ rules, members, senders, places }: StoredFacts): NotifyFacts {
  return {
    rules: new RuleIndex(rules, places.parents),
    parents: places.parents,
    members: new Map(members.map((member) => [member.id, member])),
    membersByRole: byRole(members),
    senders: new Map(senders.map((sender) => [sender.id, sender])),
    devices: new Map(places.devices.map((device) => [device.archiveNumber, device])),
    owners: places.owners,
  };
}

function byRole(members: readonly StoredNotifyMember[]): ReadonlyMap<string, readonly StoredNotifyMember[]> {
  const found = new Map<string, StoredNotifyMember[]>();
  for (const member of members) {
    if (member.role === undefined) continue;
    for (const memberGroup of member.memberGroups) {
      const key = roleKey(memberGroup, member.role);
      const known = found.get(key);
      if (known === undefined) found.set(key, [member]);
      else known.push(member);
    }
  }
  return found;
}

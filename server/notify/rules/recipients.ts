// The recipients of one step of a rule, their senders, and which of those named are not notified. Pure.
import type { NotifyDelivery, NotifyStep, RecipientNote } from '../../../shared/protocol/api/notify/notifyRules.ts';
import { isMailAddress } from '../../../shared/protocol/notify/mailAddress.ts';
import { isPersonal, type PersonalKind, type SenderKind } from '../../../shared/protocol/notify/notifyWords.ts';
import type { StoredNotifyMember } from '../../store/notify/notifyMembers.ts';
import type { NamedSender } from '../../store/notify/notifySenderNames.ts';
import { type NotifyFacts, roleKey } from './notifyFacts.ts';
import type { PreparedRule } from './ruleIndex.ts';

export interface Recipient {
  readonly sender: NamedSender;
  readonly template: number;
  /** Undefined for a service and a plain address. */
  readonly member: StoredNotifyMember | undefined;
  /** Plain address; '' for a member and a service. */
  readonly address: string;
  /** Name to show; '' for a service. */
  readonly name: string;
  /** Why nothing is sent; `none`: a message is sent. */
  readonly note: Exclude<RecipientNote, 'quiet-hours'>;
}

export interface RecipientsWanted {
  readonly prepared: PreparedRule;
  readonly step: NotifyStep;
  /** Whether the event is about the gateway itself, of which only members with `system` are notified. */
  readonly ofGateway: boolean;
  readonly nowMs: number;
  /** Senders that are left out although they are on: a failing sender can't report its own failure. */
  readonly isLeftOut: (sender: number) => boolean;
}

type RecipientFacts = Pick<NotifyFacts, 'members' | 'membersByRole' | 'senders'>;

/** Each sender and recipient once, however often both are named. */
export function recipientsOf(facts: RecipientFacts, wanted: RecipientsWanted): Recipient[] {
  const found = new Map<string, Recipient>();
  const members = membersOf(facts, wanted);
  for (const delivery of wanted.step.deliveries) {
    for (const recipient of ofDelivery(facts, delivery, { wanted, members })) {
      const key = `${recipient.sender.id}/${recipient.member?.id ?? ''}/${recipient.address.toLowerCase()}`;
      if (!found.has(key)) found.set(key, recipient);
    }
  }
  return [...found.values()];
}

interface Named {
  readonly wanted: RecipientsWanted;
  readonly members: readonly NamedMember[];
}

interface NamedMember {
  readonly member: StoredNotifyMember;
  readonly isInGroup: boolean;
}

/** Named members first, then those with the roles. Named members that can't be notified are included, so that the reason is shown. */
function membersOf(facts: RecipientFacts, { prepared, step, nowMs }: RecipientsWanted): NamedMember[] {
  const { memberGroup } = prepared.rule;
  const isInGroup = (member: StoredNotifyMember) => isActiveMember(member, memberGroup, nowMs);
  const named = step.members.flatMap((id) => facts.members.get(id) ?? []);
  const byRole = step.roles.flatMap((role) => facts.membersByRole.get(roleKey(memberGroup, role)) ?? []);
  return [...new Set([...named, ...byRole.filter(isInGroup)])].map((member) => {
    return { member, isInGroup: isInGroup(member) };
  });
}

export function isActiveMember(member: StoredNotifyMember, memberGroup: number, nowMs: number): boolean {
  const isExpired = member.expiresAtMs !== 0 && member.expiresAtMs <= nowMs;
  return !member.disabled && !isExpired && member.memberGroups.has(memberGroup);
}

function ofDelivery(facts: RecipientFacts, { sender: id, template }: NotifyDelivery, named: Named): Recipient[] {
  const sender = facts.senders.get(id);
  if (sender === undefined) return [nobody({ id, name: '', kind: 'email', enabled: false }, template, 'no-sender')];
  if (!sender.enabled || named.wanted.isLeftOut(id)) return [nobody(sender, template, 'disabled-sender')];
  if (!isPersonal(sender.kind)) return [nobody(sender, template, 'none')];
  const { kind } = sender;
  const members = named.members.map((each) => ofMember(each, { sender, template, kind }, named.wanted));
  const told = new Set(members.filter(({ note }) => note === 'none').map(({ member }) => emailOrPhone(member, kind)));
  const addresses = named.wanted.step.addresses.filter((address) => {
    return kindOfAddress(address) === kind && !told.has(address.toLowerCase());
  });
  return [...members, ...addresses.map((address) => ofAddress(sender, template, address))];
}

/** A service; with a note, the reason why nobody can be notified. */
function nobody(sender: NamedSender, template: number, note: Recipient['note']): Recipient {
  return { sender, template, member: undefined, address: '', name: '', note };
}

function ofAddress(sender: NamedSender, template: number, address: string): Recipient {
  return { sender, template, member: undefined, address, name: address, note: 'none' };
}

function ofMember(
  { member, isInGroup }: NamedMember,
  { sender, template, kind }: { readonly sender: NamedSender; readonly template: number; readonly kind: PersonalKind },
  { prepared, ofGateway }: RecipientsWanted,
): Recipient {
  const { membersChoose } = prepared.rule;
  const note = isInGroup ? noteOf(member, { kind, ofGateway, membersChoose }) : 'not-in-group';
  return { sender, template, member, address: '', name: nameOf(member), note };
}

export function nameOf({ displayName, username }: StoredNotifyMember): string {
  return displayName === '' ? username : displayName;
}

export interface Reaching {
  readonly kind: PersonalKind;
  readonly ofGateway: boolean;
  readonly membersChoose: boolean;
}

/** Why an active member of the group is not notified; `none`: the member is. */
export function noteOf(
  member: StoredNotifyMember,
  { kind, ofGateway, membersChoose }: Reaching,
): Exclude<Recipient['note'], 'not-in-group'> {
  if (ofGateway && !member.hasSystem) return 'no-system';
  if (membersChoose && !member.channels.includes(kind)) return 'not-chosen';
  if (kind === 'push') return member.pushBrowsers === 0 ? 'no-browser' : 'none';
  return addressOf(member, kind) === '' ? 'no-address' : 'none';
}

function emailOrPhone(member: StoredNotifyMember | undefined, kind: PersonalKind): string {
  return member === undefined ? '' : addressOf(member, kind).toLowerCase();
}

/** '' for none, and for push. */
export function addressOf(member: StoredNotifyMember, kind: SenderKind): string {
  switch (kind) {
    case 'email':
      return member.email;
    case 'sms':
      return member.phone;
    case 'push':
    case 'webhook':
    case 'syslog':
      return '';
  }
}

/** Undefined for what is neither. */
export function kindOfAddress(address: string): 'email' | 'sms' | undefined {
  if (isMailAddress(address)) return 'email';
  return /^\+[1-9]\d{5,14}$/.test(address) ? 'sms' : undefined;
}

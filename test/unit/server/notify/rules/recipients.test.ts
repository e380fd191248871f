import { describe, expect, it } from 'vitest';
import { kindOfAddress, recipientsOf } from '../../../../../server/notify/rules/recipients.ts';
import { prepareRule } from '../../../../../server/notify/rules/ruleIndex.ts';
import type { StoredNotifyMember } from '../../../../../server/store/notify/notifyMembers.ts';
import type { StoredNotifyRule } from '../../../../../server/store/notify/notifyRules.ts';
import type { NotifyStep } from '../../../../../shared/protocol/api/notify/notifyRules.ts';
import {
  aMember,
  aRule,
  aStep,
  HOOK,
  MAIL,
  NOON_MS,
  NORTH,
  PUSH,
  SMS,
  SOUTH,
  someFacts,
} from '../../../../support/notify/notifyFacts.ts';

const ROLE = 5;
const to = (...senders: readonly { readonly id: number }[]) => senders.map(({ id }) => ({ sender: id, template: 0 }));

interface Asked {
  readonly step: Partial<NotifyStep>;
  readonly members?: readonly StoredNotifyMember[];
  readonly rule?: Partial<StoredNotifyRule>;
  readonly ofGateway?: boolean;
  readonly isLeftOut?: (sender: number) => boolean;
  readonly senders?: Parameters<typeof someFacts>[0];
}

/** Such as `Mail ann none`. */
function told({ step, members = [aMember()], rule, ofGateway = false, isLeftOut = () => false, senders }: Asked) {
  const facts = someFacts({ members, ...senders });
  const prepared = prepareRule(aRule(rule), facts.parents);
  const wanted = { prepared, step: aStep(step), ofGateway, nowMs: NOON_MS, isLeftOut };
  return recipientsOf(facts, wanted).map(({ sender, name, note }) => `${sender.name} ${name} ${note}`);
}

describe('who is told by a step', () => {
  it('a service is told once for each delivery, whoever the recipients are', () => {
    expect(told({ step: { deliveries: to(HOOK), members: [7], addresses: ['a@b.c'] } })).toEqual(['Hook  none']);
  });

  it('each sender and member once, however often both are named', () => {
    const members = [aMember({ role: ROLE })];
    const step = { deliveries: to(MAIL, MAIL, SMS), members: [7], roles: [ROLE] };
    expect(told({ step, members })).toEqual(['Mail ann none', 'SMS ann none']);
  });

  it('a plain address by the senders of its kind, unless a member who is told has it', () => {
    const step = {
      deliveries: to(MAIL, SMS),
      members: [7],
      addresses: ['ANN@example.com', 'desk@example.com', '+49123456'],
    };
    expect(told({ step })).toEqual([
      'Mail ann none',
      'Mail desk@example.com none',
      'SMS ann none',
      'SMS +49123456 none',
    ]);
  });

  it('the address of a member who does not want mail is told all the same', () => {
    const members = [aMember({ channels: ['push'] })];
    const step = { members: [7], addresses: ['ann@example.com'] };
    expect(told({ step, members })).toEqual(['Mail ann not-chosen', 'Mail ann@example.com none']);
  });

  it('members of a role who belong to the group and are active', () => {
    const members = [
      aMember({ id: 1, username: 'active', role: ROLE }),
      aMember({ id: 2, username: 'disabled', role: ROLE, disabled: true }),
      aMember({ id: 3, username: 'expired', role: ROLE, expiresAtMs: NOON_MS }),
      aMember({ id: 4, username: 'south', role: ROLE, memberGroups: new Set([SOUTH]) }),
      aMember({ id: 5, username: 'other', role: ROLE + 1, memberGroups: new Set([NORTH]) }),
    ];
    expect(told({ step: { roles: [ROLE] }, members })).toEqual(['Mail active none']);
  });

  it.each<[string, Partial<StoredNotifyMember>, string]>([
    ['left the group', { memberGroups: new Set([SOUTH]) }, 'Mail ann not-in-group'],
    ['disabled', { disabled: true }, 'Mail ann not-in-group'],
    ['without an address', { email: '' }, 'Mail ann no-address'],
    ['who has not chosen it', { channels: ['sms'] }, 'Mail ann not-chosen'],
    ['as others are called', { displayName: 'Ann Lee' }, 'Mail Ann Lee none'],
  ])('it is said why not, of a member %s', (_who, change, expected) => {
    expect(told({ step: { members: [7] }, members: [aMember(change)] })).toEqual([expected]);
  });

  it('a member without a browser is not told by push', () => {
    const members = [aMember({ pushBrowsers: 0 })];
    expect(told({ step: { deliveries: to(PUSH), members: [7] }, members })).toEqual(['Push ann no-browser']);
  });

  it('what members have chosen does not count where the rule says so', () => {
    const members = [aMember({ channels: [] })];
    expect(told({ step: { members: [7] }, members, rule: { membersChoose: false } })).toEqual(['Mail ann none']);
  });

  it('of events of the gateway itself only members with `system`', () => {
    const members = [aMember(), aMember({ id: 8, username: 'root', hasSystem: true })];
    const step = { members: [7, 8] };
    expect(told({ step, members, ofGateway: true })).toEqual(['Mail ann no-system', 'Mail root none']);
  });

  it('nobody by a sender that is off, gone or left out', () => {
    const senders = [{ ...MAIL, enabled: false }, SMS];
    const step = { deliveries: to(MAIL, SMS, HOOK), members: [7] };
    expect(told({ step, senders: { senders }, isLeftOut: (sender) => sender === SMS.id })).toEqual([
      'Mail  disabled-sender',
      'SMS  disabled-sender',
      '  no-sender',
    ]);
  });

  it.each([
    ['a@example.com', 'email'],
    ['+886912345678', 'sms'],
    ['0912345678', undefined],
    ['a@b@c', undefined],
    ['Ann<a@b.c>', undefined],
    ['+12', undefined],
  ])('%s is an address of %s', (address, kind) => {
    expect(kindOfAddress(address)).toBe(kind);
  });
});

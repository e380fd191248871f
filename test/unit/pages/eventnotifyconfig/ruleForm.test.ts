import { describe, expect, test } from 'vitest';
import { deviceGroupOptions, deviceOptions } from '../../../../pages/innerpage/eventnotifyconfig/rule/deviceOptions.ts';
import { unreachableMembers } from '../../../../pages/innerpage/eventnotifyconfig/rule/reachability.ts';
import { checkRule, type RuleCheck } from '../../../../pages/innerpage/eventnotifyconfig/rule/ruleChecks.ts';
import {
  contentOfDraft,
  copyOfRule,
  draftOfRule,
  firstStep,
  newRule,
  nextStep,
  type RuleDraft,
  type StepDraft,
  serverProblemsRule,
} from '../../../../pages/innerpage/eventnotifyconfig/rule/ruleForm.ts';
import { isOfGateway } from '../../../../server/events/config/gatewayTypes.ts';
import { addressesOf, isAddress, withAddresses } from '../../../../shared/ui/addresses/addresses.ts';
import { NOTIFY_CHOICES, notifyRule } from '../../../support/notify/notifyRecords.ts';

describe('the form of a rule', () => {
  test('holds what the gateway has, and gives it back unchanged', () => {
    const rule = notifyRule({ intervalMinutes: 5, deviceGroups: [4], devices: ['BUS1'] });
    const { id, version, changedAtMs, changedBy, ...content } = rule;
    expect([id, version, changedAtMs > 0, changedBy]).toEqual([1, 1, true, 'Mei']);
    expect(contentOfDraft(draftOfRule(rule))).toEqual(content);
  });

  test('shows numbers that switch nothing on as empty', () => {
    const { intervalMinutes, repeatMinutes, digestMinutes } = draftOfRule(notifyRule({ repeatMinutes: 15 }));
    expect([intervalMinutes, repeatMinutes, digestMinutes]).toEqual([null, 15, null]);
  });

  test('of a copy is that of the rule under another name, no longer than names may be', () => {
    const rule = notifyRule();
    expect(copyOfRule(rule, 'Night shift (copy)')).toEqual({ ...draftOfRule(rule), name: 'Night shift (copy)' });
    expect(copyOfRule(rule, 'n'.repeat(140)).name).toHaveLength(100);
  });

  test('comes ready-made for problems of the server, all but who is told', () => {
    const draft = serverProblemsRule('jp', 'Server problems');
    const { types, severities, devices, deviceGroups, coversGateway, name } = draft;
    expect({ severities, devices, deviceGroups, coversGateway, name }).toEqual({
      severities: [],
      devices: [],
      deviceGroups: [],
      coversGateway: true,
      name: 'Server problems',
    });
    expect(types).toContain('server-disk-problem');
    expect(types.filter((type) => !isOfGateway(type))).toEqual([]);
    expect(draft.steps).toEqual(newRule('jp').steps);
  });

  test('adds a step some time after the last one, by the same senders', () => {
    const first: StepDraft = { ...firstStep(5), deliveries: [{ sender: '2', template: '8' }], members: ['1'] };
    expect(nextStep([first])).toEqual({ ...first, afterMinutes: 15, members: [] });
  });
});

const CHECK: RuleCheck = {
  texts: {
    noName: 'no name',
    range: (minimum, maximum) => `${minimum} to ${maximum}`,
    noSender: 'no sender',
    noRecipient: 'no recipient',
    badAddress: (address) => `bad ${address}`,
    tooEarly: (minutes) => `after ${minutes}`,
  },
  kindOf: (sender) => NOTIFY_CHOICES.senders.find(({ id }) => String(id) === sender)?.kind,
};

/** The problems that say something. */
function problemsOf(changes: Partial<RuleDraft>): object {
  const problems = checkRule({ ...draftOfRule(notifyRule()), ...changes }, CHECK);
  return Object.fromEntries(Object.entries(problems).filter(([, text]) => text !== undefined));
}

const step = (changes: Partial<StepDraft>): StepDraft => ({
  ...firstStep(),
  deliveries: [{ sender: '1', template: '0' }],
  members: ['1'],
  ...changes,
});

describe('the check of a rule', () => {
  test('finds nothing wrong with a stored one', () => {
    expect(problemsOf({})).toEqual({});
  });

  test('names all that a new one lacks', () => {
    expect(checkRule(newRule('en'), CHECK)).toMatchObject({
      name: 'no name',
      'steps.0.deliveries.0.sender': 'no sender',
    });
  });

  test.each([
    [{ name: '  ' }, { name: 'no name' }],
    [{ intervalMinutes: 1_441 }, { intervalMinutes: '1 to 1440' }],
    [{ repeatMinutes: 4 }, { repeatMinutes: '5 to 1440' }],
    [{ digestMinutes: 1.5 }, { digestMinutes: '1 to 1440' }],
    [{ steps: [step({ afterMinutes: null })] }, { 'steps.0.afterMinutes': '0 to 1440' }],
    [{ steps: [step({ members: [] })] }, { 'steps.0.recipients': 'no recipient' }],
    [{ steps: [step({ addresses: ['a@b.example', 'desk'] })] }, { 'steps.0.addresses': 'bad desk' }],
  ] satisfies readonly (readonly [Partial<RuleDraft>, object])[])('says what is wrong: %j', (changes, problems) => {
    expect(problemsOf(changes)).toEqual(problems);
  });

  test('asks for steps that come one after the other', () => {
    const steps = [step({ afterMinutes: 10 }), step({ afterMinutes: 10 }), step({ afterMinutes: 20 })];
    expect(problemsOf({ steps })).toEqual({ 'steps.1.afterMinutes': 'after 10' });
  });

  test('asks for an address that the sender can use', () => {
    const mail = step({ members: [], addresses: ['+886912345678'] });
    expect(problemsOf({ steps: [mail] })).toEqual({ 'steps.0.recipients': 'no recipient' });
    expect(problemsOf({ steps: [{ ...mail, deliveries: [{ sender: '2', template: '0' }] }] })).toEqual({});
  });

  test('asks no service for recipients', () => {
    expect(problemsOf({ steps: [step({ members: [], deliveries: [{ sender: '3', template: '0' }] })] })).toEqual({});
  });
});

describe('addresses', () => {
  test('are taken from what is typed or pasted, each once', () => {
    expect(addressesOf('a@b.example; +886 912-345-678,\n ,c@d.example')).toEqual([
      'a@b.example',
      '+886912345678',
      'c@d.example',
    ]);
    expect(withAddresses(['a@b.example'], 'a@b.example')).toEqual(['a@b.example']);
  });

  test.each([
    ['a@b.example', true],
    ['+886912345678', true],
    ['0912345678', false],
    ['+123', false],
    ['a b@c.example', false],
    ['a@b@c', false],
    ['Lin <a@b.example>', false],
  ])('are mail addresses and international numbers: %s %s', (address, isFine) => {
    expect(isAddress(address)).toBe(isFine);
  });
});

describe('what a rule is made of', () => {
  test('names members whom none of the senders can reach', () => {
    const members = ['1', '2', '3'];
    const unreachable = (...senders: readonly string[]) =>
      unreachableMembers(
        { members, deliveries: senders.map((sender) => ({ sender, template: '0' })) },
        NOTIFY_CHOICES,
      ).map(({ username }) => username);
    expect(unreachable('1')).toEqual(['chen']);
    expect(unreachable('1', '2')).toEqual([]);
    expect(unreachable('3')).toEqual([]);
  });

  test('lists groups by their paths, those without a known parent at the top', () => {
    expect(deviceGroupOptions(NOTIFY_CHOICES)).toEqual([
      { value: '4', label: 'Harbor' },
      { value: '6', label: 'Harbor / Pier' },
    ]);
  });

  test('lists devices by their names', () => {
    expect(deviceOptions(NOTIFY_CHOICES).map(({ label }) => label)).toEqual(['Lake line 1 (KAA-0001)', 'Lake line 2']);
  });
});

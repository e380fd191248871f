import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explainRules } from '../../../../../server/notify/rules/explainRules.ts';
import { doesMatch, matchRule } from '../../../../../server/notify/rules/matchRule.ts';
import type { NotifyFacts, ToldEvent } from '../../../../../server/notify/rules/notifyFacts.ts';
import { type PlanningMoment, planMessages } from '../../../../../server/notify/rules/planMessages.ts';
import type { StoredNotifyMember } from '../../../../../server/store/notify/notifyMembers.ts';
import type { StoredNotifyRule } from '../../../../../server/store/notify/notifyRules.ts';
import { SEVERITIES } from '../../../../../shared/protocol/events/eventWords.ts';
import { isScheduled } from '../../../../../shared/protocol/weekSchedule.ts';
import {
  aMember,
  aRule,
  aStep,
  aToldEvent,
  BUSES,
  HOOK,
  MAIL,
  NIGHT_BUSES,
  NOON_MS,
  NORTH,
  SMS,
  SOUTH,
  someFacts,
} from '../../../../support/notify/notifyFacts.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7];
const hours = (from: number, to: number) => [{ days: ALL_DAYS, fromMinute: from * 60, toMinute: to * 60 }];
const NIGHT_MS = Date.parse('2026-11-20T23:00Z');

function plan(facts: NotifyFacts, event: Partial<ToldEvent> = {}, moment: Partial<PlanningMoment> = {}) {
  let keys = 0;
  return planMessages(aToldEvent(event), facts, {
    nowMs: event.beginAtMs ?? NOON_MS,
    lastToldAtMs: () => undefined,
    isFailing: () => false,
    enough: 1_000,
    newKey: () => `key ${++keys}`,
    ...moment,
  });
}

const messagesOf = (rule: Partial<StoredNotifyRule>, event: Partial<ToldEvent> = {}) =>
  plan(someFacts({ rules: [aRule(rule)] }), event).messages.map(({ message }) => message);

describe('the messages of an event', () => {
  it('S-2.4.13 tell what happened to which device, to whom, and by which rule', () => {
    expect(messagesOf({ id: 4, name: 'Speed', steps: [aStep({ members: [7] })] })).toEqual([
      {
        key: 'key 1',
        memberGroup: NORTH,
        rule: 4,
        ruleName: 'Speed',
        step: 1,
        sender: MAIL.id,
        senderName: 'Mail',
        kind: 'email',
        template: 0,
        language: 'en',
        userId: 7,
        address: '',
        recipient: 'ann',
        eventBeginAtMs: NOON_MS,
        archiveNumber: 1,
        deviceId: 'BUS1',
        deviceName: 'Bus 1',
        type: 'speeding',
        severity: 'major',
        digestKey: '',
        waitsQuiet: false,
        repeatMs: 0,
        repeatUntilMs: 0,
        createdAtMs: NOON_MS,
        dueAtMs: NOON_MS,
      },
    ]);
  });

  it('of later steps are there from the begin, each due after its minutes', () => {
    const steps = [aStep({ addresses: ['a@b.c'] }), aStep({ afterMinutes: 10, addresses: ['boss@b.c'] })];
    expect(messagesOf({ steps }).map(({ step, address, dueAtMs }) => [step, address, dueAtMs - NOON_MS])).toEqual([
      [1, 'a@b.c', 0],
      [2, 'boss@b.c', 10 * MINUTE_MS],
    ]);
  });

  it('of the last step alone are repeated, for a day', () => {
    const steps = [aStep({ addresses: ['a@b.c'] }), aStep({ afterMinutes: 10, addresses: ['boss@b.c'] })];
    expect(messagesOf({ steps, repeatMinutes: 15 })).toMatchObject([
      { repeatMs: 0, repeatUntilMs: 0 },
      { repeatMs: 15 * MINUTE_MS, repeatUntilMs: NOON_MS + 10 * MINUTE_MS + 24 * HOUR_MS },
    ]);
  });

  it('wait for the end of quiet hours, the rule own and the member own', () => {
    const quiet = { quietHours: hours(22, 6), steps: [aStep({ members: [7] })] };
    expect(messagesOf(quiet, { beginAtMs: NIGHT_MS })).toMatchObject([
      { waitsQuiet: true, dueAtMs: Date.parse('2026-11-21T06:00Z') },
    ]);
    const members = [aMember({ quietHours: hours(5, 8), timeZone: 'UTC' })];
    const facts = someFacts({ rules: [aRule(quiet)], members });
    expect(plan(facts, { beginAtMs: NIGHT_MS }).messages).toMatchObject([
      { message: { waitsQuiet: true, dueAtMs: Date.parse('2026-11-21T08:00Z') } },
    ]);
  });

  it('of later steps keep their distance where quiet hours hold up all steps, and none where they hold up the first alone', () => {
    const [ann, bob, cat] = [aMember(), aMember({ id: 8 }), aMember({ id: 9 })];
    const steps = [
      aStep({ members: [ann.id] }),
      aStep({ afterMinutes: 10, members: [bob.id] }),
      aStep({ afterMinutes: 30, members: [cat.id] }),
    ];
    const dueOf = (rule: Partial<StoredNotifyRule>, members: readonly StoredNotifyMember[]) => {
      const facts = someFacts({ rules: [aRule({ steps, ...rule })], members });
      return plan(facts, { beginAtMs: NIGHT_MS }, { nowMs: NIGHT_MS }).messages.map(({ message }) => message.dueAtMs);
    };
    const [firstMs = 0, ...later] = dueOf({ quietHours: hours(22, 6) }, [ann, bob, cat]);
    expect(firstMs).toBeGreaterThan(NIGHT_MS);
    expect(later).toEqual([firstMs + 10 * MINUTE_MS, firstMs + 30 * MINUTE_MS]);
    const asleep = { ...ann, quietHours: hours(22, 6) };
    const [wakesMs, ...awake] = dueOf({}, [asleep, bob, cat]);
    expect(wakesMs).toBe(firstMs);
    expect(awake).toEqual([NIGHT_MS + 10 * MINUTE_MS, NIGHT_MS + 30 * MINUTE_MS]);
  });

  it('of critical events pass quiet hours where the rule lets them', () => {
    const rule = { quietHours: hours(22, 6), steps: [aStep({ members: [7] })] };
    const critical = { beginAtMs: NIGHT_MS, severity: 'critical' } as const;
    expect(messagesOf({ ...rule, criticalPasses: true }, critical)).toMatchObject([{ dueAtMs: NIGHT_MS }]);
    expect(messagesOf({ ...rule, criticalPasses: false }, critical)).toMatchObject([{ waitsQuiet: true }]);
  });

  it('are not held back by quiet hours that never end', () => {
    expect(messagesOf({ quietHours: hours(0, 24) })).toMatchObject([{ dueAtMs: NOON_MS, waitsQuiet: false }]);
    const members = [aMember({ quietHours: hours(11, 23) })];
    const rules = [aRule({ quietHours: hours(23, 11), steps: [aStep({ members: [7] })] })];
    expect(plan(someFacts({ rules, members })).messages).toMatchObject([{ message: { dueAtMs: NOON_MS } }]);
  });

  it('are collected in digests of the same rule, step, sender and recipient', () => {
    const steps = [aStep({ addresses: ['a@b.c', 'd@e.f'] })];
    const [first, second] = messagesOf({ steps, digestMinutes: 30 });
    const [again] = messagesOf({ steps, digestMinutes: 30 }, { type: 'idling' });
    expect(first?.dueAtMs).toBe(NOON_MS + 30 * MINUTE_MS);
    expect(first?.digestKey).not.toBe('');
    expect(first?.digestKey).not.toBe(second?.digestKey);
    expect(first?.digestKey).toBe(again?.digestKey);
    const quiet = { steps, digestMinutes: 30, quietHours: hours(22, 6) };
    const [critical] = messagesOf(quiet, { severity: 'critical' });
    expect(critical?.digestKey).not.toBe(first?.digestKey);
  });

  it('are those of the rules that match, and it is said which told of it', () => {
    const rules = [
      aRule({ id: 1 }),
      aRule({ id: 2, types: ['idling'] }),
      aRule({ id: 3, steps: [aStep({ members: [99] })] }),
      aRule({ id: 4, types: ['speeding'] }),
      aRule({ id: 5, memberGroup: SOUTH }),
    ];
    const planned = plan(someFacts({ rules }));
    expect(planned.rules.toSorted()).toEqual([1, 4]);
    expect(planned.messages.map(({ message }) => message.rule).toSorted()).toEqual([1, 4]);
  });

  it('end with the rule that makes enough of them', () => {
    const rules = [1, 2, 3].map((id) => aRule({ id, steps: [aStep({ addresses: ['a@b.c', 'd@e.f'] })] }));
    expect(plan(someFacts({ rules }), {}, { enough: 3 }).rules).toHaveLength(2);
    expect(plan(someFacts({ rules }), {}, { enough: 5 }).rules).toHaveLength(3);
  });

  it('of a sender that fails are not given to it', () => {
    const steps = [
      aStep({ deliveries: [MAIL, HOOK].map(({ id }) => ({ sender: id, template: 0 })), addresses: ['a@b.c'] }),
    ];
    const facts = someFacts({ rules: [aRule({ coversGateway: true, steps })] });
    const isFailing = (sender: number): boolean => sender === MAIL.id;
    const of = (type: string) =>
      plan(facts, { device: undefined, type }, { isFailing }).messages.map(({ message }) => message.senderName);
    expect(of('sender-failing')).toEqual(['Hook']);
    expect(of('disk-full')).toEqual(['Mail', 'Hook']);
  });

  it('are, of any event, those of every rule that matches, at a time that is not quiet, once for each recipient', () => {
    const step = fc.record({
      deliveries: fc
        .uniqueArray(fc.constantFrom(MAIL.id, SMS.id, HOOK.id, 99), { minLength: 1 })
        .map((ids) => ids.map((sender) => ({ sender, template: 0 }))),
      members: fc.uniqueArray(fc.constantFrom(7, 8)),
      roles: fc.uniqueArray(fc.constantFrom(5, 6)),
      addresses: fc.uniqueArray(fc.constantFrom('a@b.c', '+49123456', 'ann@example.com')),
    });
    const rule = fc.record({
      enabled: fc.boolean(),
      types: fc.uniqueArray(fc.constantFrom('speeding', 'idling')),
      severities: fc.uniqueArray(fc.constantFrom(...SEVERITIES)),
      deviceGroups: fc.uniqueArray(fc.constantFrom(BUSES, NIGHT_BUSES)),
      devices: fc.uniqueArray(fc.constantFrom('BUS1', 'NIGHT1')),
      coversGateway: fc.boolean(),
      memberGroup: fc.constantFrom(NORTH, SOUTH),
      steps: fc.array(step, { minLength: 1, maxLength: 3 }).map((steps) => {
        return steps.map((each, at) => ({ ...each, afterMinutes: at * 10 }));
      }),
      quietHours: fc.constantFrom([], hours(22, 6), hours(12, 13)),
      digestMinutes: fc.constantFrom(0, 30),
    });
    const event = fc.record({
      device: fc.constantFrom(undefined, { archiveNumber: 1 }, { archiveNumber: 2 }, { archiveNumber: 3 }),
      type: fc.constantFrom('speeding', 'idling', 'other'),
      severity: fc.constantFrom(...SEVERITIES),
      beginAtMs: fc.integer({ min: NOON_MS, max: NOON_MS + 48 * HOUR_MS }),
    });
    const members = [aMember({ role: 5 }), aMember({ id: 8, username: 'bob', role: 6, quietHours: hours(1, 9) })];
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 4 }), event, (contents, told) => {
        const rules = contents.map((content, at) => aRule({ ...content, id: at + 1 }));
        const facts = someFacts({ rules, members });
        const planned = plan(facts, told);
        const { messages } = planned;
        const moment = { nowMs: told.beginAtMs, lastToldAtMs: () => undefined };
        const matching = facts.rules.all.filter((each) => {
          return matchRule(each, aToldEvent(told), facts, moment).length === 0;
        });
        const matchingIds = new Set(matching.map((each) => each.rule.id));
        const quick = facts.rules.all.filter((each) => doesMatch(each, aToldEvent(told), facts, moment));
        expect(quick).toEqual(matching);
        expect(messages.every(({ message }) => matchingIds.has(message.rule))).toBe(true);
        const explained = [NORTH, SOUTH].flatMap((memberGroup) => {
          const heard = { memberGroup, heardAtMs: told.beginAtMs, lastToldAtMs: new Map(), isFailing: () => false };
          return explainRules(aToldEvent(told), facts, heard);
        });
        const telling = explained.filter(({ misses }) => misses.length === 0).map(({ rule: id }) => id);
        expect(planned.rules.toSorted()).toEqual(telling.toSorted());
        const whom = messages.map(({ message: { rule: id, step: at, sender, userId, address } }) => {
          return [id, at, sender, userId, address].join();
        });
        expect(new Set(whom).size).toBe(whom.length);
        for (const { message, joinsFromMs } of messages) {
          const of = rules[message.rule - 1];
          const passes = message.severity === 'critical';
          const isQuiet =
            of !== undefined && of.quietHours.length > 0 && isScheduled(of.quietHours, 'UTC', message.dueAtMs);
          expect(isQuiet && !passes).toBe(false);
          expect(message.dueAtMs).toBeGreaterThanOrEqual(joinsFromMs);
          expect(joinsFromMs).toBe(told.beginAtMs + (message.step - 1) * 10 * MINUTE_MS);
        }
      }),
    );
  });
});

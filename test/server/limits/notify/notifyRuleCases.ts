// How the limits of who is told are reached.
import { sql } from 'kysely';
import { expect, onTestFinished } from 'vitest';
import type { OnLimit } from '../../../../server/limits/limit.ts';
import { DRY_RUN_EVENTS_LIMIT, DRY_RUNS_LIMIT, DryRuns } from '../../../../server/notify/rules/dryRuns.ts';
import type { NotifyFacts } from '../../../../server/notify/rules/notifyFacts.ts';
import {
  EVENT_MESSAGES_LIMIT,
  NotifyPlanner,
  WAITING_MESSAGES_LIMIT,
} from '../../../../server/notify/rules/notifyPlanner.ts';
import { TOLD_TIMES_LIMIT, ToldTimes } from '../../../../server/notify/rules/toldTimes.ts';
import { NOTIFY_RULES_LIMIT } from '../../../../server/store/notify/notifyRules.ts';
import type { PastEvent } from '../../../../server/store/notify/pastEvents.ts';
import { createStores } from '../../../../server/store/stores.ts';
import { noFaults } from '../../../support/fakes/noFaults.ts';
import {
  aMember,
  aRule,
  aRuleContent,
  aStep,
  aToldEvent,
  NOON_MS,
  NORTH,
  someFacts,
} from '../../../support/notify/notifyFacts.ts';
import { openTestDatabase } from '../../store/testDatabase.ts';
import type { LimitCase } from '../describeLimits.ts';
import { times } from '../manyOf.ts';

const rulesCase: LimitCase = {
  limit: NOTIFY_RULES_LIMIT,
  open: async (onLimit) => {
    const { db, close } = await openTestDatabase('sqlite');
    onTestFinished(() => close());
    const { memberGroups, notifyRules } = createStores(db, onLimit);
    const memberGroup = await memberGroups.insert({ name: 'Depot' });
    const add = () => notifyRules.insert({ memberGroup }, { content: aRuleContent(), by: 'ann', atMs: 1 });
    return {
      upTo: async () => {
        await add();
        await sql`insert into notify_rule (member_group, name, enabled, settings, changed_at_ms, changed_by)
          with recursive number(at) as (select 1 union all select at + 1 from number where at < ${NOTIFY_RULES_LIMIT.max - 2})
          select ${memberGroup}, 'rule ' || at, 1, '{}', 0, '' from number`.execute(db);
        expect(await add()).toMatchObject({ ok: true });
      },
      beyond: async () => {
        expect(await add()).toEqual({ ok: false, reason: 'too-many' });
      },
    };
  },
};

async function startPlanner(onLimit: OnLimit, facts: NotifyFacts, waiting: number): Promise<NotifyPlanner> {
  const planner = new NotifyPlanner({
    settings: { facts },
    told: { since: async () => [], waitingByGroup: async () => new Map([[NORTH, waiting]]) },
    isFailing: () => false,
    onMessages: () => undefined,
    now: () => NOON_MS,
    runAfter: () => () => undefined,
    onFault: noFaults,
    onLimit,
  });
  await planner.start();
  return planner;
}

const waitingCase: LimitCase = {
  limit: WAITING_MESSAGES_LIMIT,
  open: async (onLimit) => {
    const planner = await startPlanner(onLimit, someFacts(), WAITING_MESSAGES_LIMIT.max - 2);
    return {
      upTo: () => {
        const planned = planner.plan([aToldEvent(), aToldEvent()]);
        expect(planned.messages).toHaveLength(2);
        planned.stored();
      },
      beyond: () => {
        const planned = planner.plan([aToldEvent(), aToldEvent({ severity: 'critical' })]);
        expect(planned.messages).toMatchObject([{ event: 1, message: { severity: 'critical' } }]);
      },
    };
  },
};

const messagesCase: LimitCase = {
  limit: EVENT_MESSAGES_LIMIT,
  open: async (onLimit) => {
    const members = Array.from({ length: EVENT_MESSAGES_LIMIT.max }, (_, at) => aMember({ id: at + 1, role: 5 }));
    const steps = [aStep({ roles: [5] })];
    // Comes before the others, and leaves no room for one of them.
    const later = aRule({ id: 1, types: ['idling'], steps: [aStep({ afterMinutes: 5, addresses: ['boss@b.c'] })] });
    const escalating = { ...later, steps: [aStep({ deliveries: [] }), ...later.steps] };
    const facts = someFacts({ members, rules: [escalating, aRule({ id: 2, steps })] });
    const planner = await startPlanner(onLimit, facts, 0);
    return {
      upTo: () => {
        expect(planner.plan([aToldEvent()]).messages).toHaveLength(EVENT_MESSAGES_LIMIT.max);
      },
      beyond: () => {
        const { messages } = planner.plan([aToldEvent({ type: 'idling' })]);
        expect(messages).toHaveLength(EVENT_MESSAGES_LIMIT.max);
        expect(messages.every(({ message }) => message.step === 1)).toBe(true);
      },
    };
  },
};

const intervalsCase: LimitCase = {
  limit: TOLD_TIMES_LIMIT,
  open: (onLimit) => {
    const told = new ToldTimes(onLimit);
    return {
      upTo: () => {
        times(TOLD_TIMES_LIMIT.max, (at) => told.note(`rule ${at}`, at));
        expect(told.lastAt('rule 0')).toBe(0);
      },
      beyond: () => {
        told.note('another', 1);
        expect(told.lastAt('rule 0')).toBeUndefined();
        expect([told.lastAt('rule 1'), told.lastAt('another')]).toEqual([1, 1]);
      },
    };
  },
};

const dryRunsCase: LimitCase = {
  limit: DRY_RUNS_LIMIT,
  open: (onLimit) => {
    let release: (events: PastEvent[]) => void = () => undefined;
    const released = new Promise<PastEvent[]>((resolve) => {
      release = resolve;
    });
    const runs = createDryRuns(onLimit, () => released);
    const run = () => runs.run({ content: aRuleContent(), memberGroup: NORTH });
    const running: ReturnType<typeof run>[] = [];
    return {
      upTo: () => {
        while (running.length < DRY_RUNS_LIMIT.max) running.push(run());
      },
      beyond: async () => {
        expect(await run()).toBeUndefined();
        release([]);
        expect(await Promise.all(running)).toEqual(running.map(() => expect.objectContaining({ events: 0 })));
      },
    };
  },
};

const dryRunEventsCase: LimitCase = {
  limit: DRY_RUN_EVENTS_LIMIT,
  open: (onLimit) => {
    let left = 0;
    const runs = createDryRuns(onLimit, async (limit) => {
      const part = Array.from({ length: Math.min(limit, left) }, () => PAST);
      left -= part.length;
      return part;
    });
    const runOver = (events: number) => {
      left = events;
      return runs.run({ content: aRuleContent(), memberGroup: NORTH });
    };
    return {
      upTo: async () => {
        const whole = { events: DRY_RUN_EVENTS_LIMIT.max, isCut: false };
        expect(await runOver(DRY_RUN_EVENTS_LIMIT.max)).toMatchObject(whole);
      },
      beyond: async () => {
        const cut = { events: DRY_RUN_EVENTS_LIMIT.max, isCut: true };
        expect(await runOver(DRY_RUN_EVENTS_LIMIT.max + 1)).toMatchObject(cut);
      },
    };
  },
};

const PAST: PastEvent = {
  id: 1,
  archiveNumber: 1,
  type: 'speeding',
  severity: 'major',
  beginAtMs: NOON_MS - 1,
  isLate: false,
  answeredAtMs: Number.POSITIVE_INFINITY,
};

function createDryRuns(onLimit: OnLimit, latest: (limit: number) => Promise<PastEvent[]>): DryRuns {
  return new DryRuns({
    settings: { facts: someFacts() },
    events: { latest: (_, limit) => latest(limit) },
    now: () => NOON_MS,
    nextTurn: async () => undefined,
    onLimit,
  });
}

export const notifyRuleCases: readonly LimitCase[] = [
  rulesCase,
  waitingCase,
  messagesCase,
  intervalsCase,
  dryRunsCase,
  dryRunEventsCase,
];

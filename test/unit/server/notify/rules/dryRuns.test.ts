import { describe, expect, it } from 'vitest';
import { DryRuns } from '../../../../../server/notify/rules/dryRuns.ts';
import type { PastEvent, PastEventsWanted } from '../../../../../server/store/notify/pastEvents.ts';
import type { NotifyRuleContent } from '../../../../../shared/protocol/api/notify/notifyRules.ts';
import { aMember, aRuleContent, aStep, NOON_MS, NORTH, someFacts } from '../../../../support/notify/notifyFacts.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const TWO = aStep({ addresses: ['a@b.c', 'd@e.f'] });

let lastId = 0;
function aPastEvent(beginAtMs: number, change: Partial<PastEvent> = {}): PastEvent {
  const answeredAtMs = Number.POSITIVE_INFINITY;
  lastId++;
  return {
    id: lastId,
    archiveNumber: 1,
    type: 'speeding',
    severity: 'major',
    beginAtMs,
    isLate: false,
    answeredAtMs,
    ...change,
  };
}

async function dryRun(content: Partial<NotifyRuleContent>, events: readonly PastEvent[]) {
  const asked: PastEventsWanted[] = [];
  let turns = 0;
  const runs = new DryRuns({
    settings: { facts: someFacts({ members: [aMember()] }) },
    events: {
      latest: async (wanted, limit, behind) => {
        asked.push(wanted);
        const latest = events.toSorted((left, right) => right.beginAtMs - left.beginAtMs);
        const from = behind === undefined ? 0 : latest.indexOf(behind) + 1;
        return latest.slice(from, from + limit);
      },
    },
    now: () => NOON_MS,
    nextTurn: async () => {
      turns++;
    },
    onLimit: () => undefined,
  });
  const done = await runs.run({ content: aRuleContent(content), memberGroup: NORTH });
  if (done === undefined) throw new Error('another one was running');
  return { ...done, counts: done.days.map(({ messages }) => messages), asked, turns };
}

describe('what a rule would have sent in the last days', () => {
  it('counts by days of its zone, today and the six before', async () => {
    const events = [aPastEvent(NOON_MS - 6 * DAY_MS), aPastEvent(NOON_MS - DAY_MS), aPastEvent(NOON_MS - HOUR_MS)];
    const { days, counts, events: told, asked, isCut } = await dryRun({ steps: [TWO] }, events);
    expect(counts).toEqual([2, 0, 0, 0, 0, 2, 2]);
    expect({ told, isCut }).toEqual({ told: 3, isCut: false });
    expect(days[0]?.fromMs).toBe(Date.parse('2026-11-14T00:00Z'));
    expect(asked).toMatchObject([{ fromMs: days[0]?.fromMs, toMs: NOON_MS, memberGroup: NORTH, seesGateway: false }]);
    const taipei = await dryRun({ steps: [TWO], timeZone: 'Asia/Taipei' }, events);
    expect(taipei.days.map(({ fromMs }) => fromMs)[6]).toBe(Date.parse('2026-11-19T16:00Z'));
  });

  it('counts rules that are off as if they were on', async () => {
    expect((await dryRun({ enabled: false }, [aPastEvent(NOON_MS - 1)])).events).toBe(1);
  });

  it('leaves out what the rule does not match, keeps its interval, and counts no step after the answer', async () => {
    const steps = [TWO, aStep({ afterMinutes: 10, addresses: ['boss@b.c'] })];
    const first = NOON_MS - 3 * HOUR_MS;
    const events = [
      aPastEvent(first, { answeredAtMs: first + 5 * MINUTE_MS }),
      aPastEvent(first + 20 * MINUTE_MS),
      aPastEvent(first + 20 * MINUTE_MS, { type: 'idling' }),
      aPastEvent(first + 30 * MINUTE_MS),
    ];
    const { events: told, counts } = await dryRun({ steps, intervalMinutes: 30, types: ['speeding'] }, events);
    expect({ told, today: counts.at(-1) }).toEqual({ told: 2, today: 2 + 3 });
  });

  it('counts nothing that would be sent later than now', async () => {
    const steps = [TWO, aStep({ afterMinutes: 10, addresses: ['boss@b.c'] })];
    expect((await dryRun({ steps }, [aPastEvent(NOON_MS - MINUTE_MS)])).counts.at(-1)).toBe(2);
  });

  it('counts repeats until the answer, for a day at most', async () => {
    const event = aPastEvent(NOON_MS - 3 * HOUR_MS, { answeredAtMs: NOON_MS - 2 * HOUR_MS });
    expect((await dryRun({ repeatMinutes: 15 }, [event])).counts.at(-1)).toBe(4);
    const old = aPastEvent(NOON_MS - 5 * DAY_MS);
    expect((await dryRun({ repeatMinutes: 60 }, [old])).counts).toEqual([0, 12, 13, 0, 0, 0, 0]);
  });

  it('counts a digest once', async () => {
    const firstMs = NOON_MS - 5 * HOUR_MS;
    const events = [0, 10, 29, 31].map((minutes) => aPastEvent(firstMs + minutes * MINUTE_MS));
    const { events: told, counts } = await dryRun({ digestMinutes: 30 }, events);
    expect({ told, today: counts.at(-1) }).toEqual({ told: 4, today: 2 });
  });

  it('counts messages that wait for the end of quiet hours on the day of that', async () => {
    const quietHours = [{ days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 22 * 60, toMinute: 6 * 60 }];
    const event = aPastEvent(NOON_MS - DAY_MS + 11 * HOUR_MS);
    expect((await dryRun({ quietHours }, [event])).counts).toEqual([0, 0, 0, 0, 0, 0, 1]);
  });

  it('lets others have their turn between parts', async () => {
    const many = Array.from({ length: 4_500 }, (_, at) => aPastEvent(NOON_MS - DAY_MS + at * 1_000));
    const { events, asked, turns } = await dryRun({}, many);
    expect(events).toBe(4_500);
    expect(asked).toHaveLength(3);
    expect(turns).toBeGreaterThanOrEqual(6);
  });
});

// What five hundred rules cost each event: the planner alone, in this process.
import { buildFacts } from '../../../server/notify/rules/buildFacts.ts';
import type { NotifyFacts, ToldEvent } from '../../../server/notify/rules/notifyFacts.ts';
import { NotifyPlanner } from '../../../server/notify/rules/notifyPlanner.ts';
import { MAX_RULES } from '../../../shared/protocol/api/notify/notifyRules.ts';
import { SEVERITIES } from '../../../shared/protocol/events/eventWords.ts';
import { median, rounded } from '../statistics.ts';
import type { Row } from '../table.ts';
import { DEVICES, fleetFacts, RULE_SHAPES, type RuleShape, rulesOf, TYPES, typeName } from './manyRules.ts';

const START_MS = Date.UTC(2026, 10, 23, 6);
/** Written together. */
const EVENTS_A_SECOND = 50;
const WARM_UP_SECONDS = 100;
const SECONDS = 200;
const REPETITIONS = 3;
/** A prime: events come from devices all over the fleet. */
const STRIDE = 7_919;
const WANTED_SHARE = 2;

export async function benchPlanning(onProgress: (text: string) => void): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, shapes] of [
    ['none', []],
    ...RULE_SHAPES.map((shape) => [shape, [shape]] as const),
    ['mixed', RULE_SHAPES],
  ] as const) {
    onProgress(`outbox: rules: ${name}`);
    rows.push(await measure(name, shapes));
  }
  return rows;
}

interface Measured {
  readonly microseconds: number;
  readonly messages: number;
}

async function measure(name: string, shapes: readonly RuleShape[]): Promise<Row> {
  const rules = rulesOf(shapes, MAX_RULES);
  const facts = buildFacts({ ...fleetFacts(), rules });
  const runs: Measured[] = [];
  for (let at = 0; at < REPETITIONS; at++) runs.push(await run(facts));
  const microseconds = median(runs.map((each) => each.microseconds));
  return {
    rules: name,
    count: rules.length,
    'µs an event': rounded(microseconds),
    'messages an event': rounded(median(runs.map(({ messages }) => messages)), 2),
    '% of a core at 50/s': rounded((microseconds * EVENTS_A_SECOND) / 10_000, 2),
    'wanted %': WANTED_SHARE,
  };
}

async function run(facts: NotifyFacts): Promise<Measured> {
  let nowMs = START_MS;
  const planner = new NotifyPlanner({
    settings: { facts },
    told: { since: async () => [], waitingByGroup: async () => new Map() },
    isFailing: () => false,
    onMessages: () => undefined,
    now: () => nowMs,
    runAfter: () => () => undefined,
    onFault: (error) => {
      throw error;
    },
    onLimit: () => undefined,
  });
  await planner.start();
  let messages = 0;
  const plan = (second: number): void => {
    nowMs = START_MS + second * 1_000;
    const planned = planner.plan(eventsOf(second, nowMs));
    planned.stored();
    messages += planned.messages.length;
  };
  for (let second = 0; second < WARM_UP_SECONDS; second++) plan(second);
  messages = 0;
  const before = process.cpuUsage();
  for (let second = WARM_UP_SECONDS; second < WARM_UP_SECONDS + SECONDS; second++) plan(second);
  const { user, system } = process.cpuUsage(before);
  await planner.close();
  const events = SECONDS * EVENTS_A_SECOND;
  return { microseconds: (user + system) / events, messages: messages / events };
}

function eventsOf(second: number, nowMs: number): ToldEvent[] {
  return Array.from({ length: EVENTS_A_SECOND }, (_, at) => {
    const number = second * EVENTS_A_SECOND + at;
    return {
      device: { archiveNumber: 1 + ((number * STRIDE) % DEVICES) },
      type: typeName(number % TYPES),
      // The order of severities begins with the gravest, which is rare.
      severity: (number % 25 === 0 ? SEVERITIES[0] : SEVERITIES[1 + (number % 3)]) ?? 'info',
      beginAtMs: nowMs - 500,
      isLate: false,
    };
  });
}

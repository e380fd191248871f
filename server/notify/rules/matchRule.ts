// Whether a rule reports an event, and if not, why. Pure.
import { RULE_MISSES, type RuleMiss } from '../../../shared/protocol/api/notify/notifyRules.ts';
import { isScheduled } from '../../../shared/protocol/weekSchedule.ts';
import type { NotifyDevice } from '../../store/notify/notifyPlaces.ts';
import type { NotifyFacts, ToldEvent } from './notifyFacts.ts';
import type { PreparedRule } from './ruleIndex.ts';

/** Late events that are older than this notify nobody: they are over. */
const LATE_EVENT_MS = 15 * 60_000;
const MINUTE_MS = 60_000;

export interface MatchMoment {
  readonly nowMs: number;
  /**
   * When a rule last reported an event of this device and type; undefined: never, or so long ago that it doesn't matter. Only called for
   * rules with an interval: the answer takes long to find.
   */
  readonly lastToldAtMs: (rule: number) => number | undefined;
}

interface Asked {
  readonly prepared: PreparedRule;
  readonly event: ToldEvent;
  readonly facts: Pick<NotifyFacts, 'devices' | 'owners'>;
  readonly moment: MatchMoment;
}

/** Checks in the order of their cost, the fastest first. */
const IS_MISSED: readonly (readonly [RuleMiss, (asked: Asked) => boolean])[] = [
  ['disabled', ({ prepared }) => !prepared.rule.enabled],
  ['other-type', ({ prepared, event }) => prepared.types?.has(event.type) === false],
  ['other-severity', ({ prepared, event }) => prepared.severities?.has(event.severity) === false],
  ['too-late', ({ event, moment }) => event.isLate && moment.nowMs - event.beginAtMs > LATE_EVENT_MS],
  ['other-device', (asked) => !coversPlace(asked)],
  ['interval', isWithinInterval],
  ['not-scheduled', (asked) => !isInSchedule(asked)],
];

/** All reasons why the rule doesn't report the event; empty: it does. Who is notified is another matter. */
export function matchRule(
  prepared: PreparedRule,
  event: ToldEvent,
  facts: Asked['facts'],
  moment: MatchMoment,
): RuleMiss[] {
  const asked = { prepared, event, facts, moment };
  const misses = new Set(IS_MISSED.flatMap(([miss, isMissed]) => (isMissed(asked) ? [miss] : [])));
  return RULE_MISSES.filter((miss) => misses.has(miss));
}

/** Whether nothing keeps the rule from reporting the event; for many rules and events. */
export function doesMatch(
  prepared: PreparedRule,
  event: ToldEvent,
  facts: Asked['facts'],
  moment: MatchMoment,
): boolean {
  const asked = { prepared, event, facts, moment };
  return !IS_MISSED.some(([, isMissed]) => isMissed(asked));
}

/** Undefined for an event of the gateway itself, and for a device that is gone or disabled. */
export function deviceOf(event: ToldEvent, { devices }: Pick<NotifyFacts, 'devices'>): NotifyDevice | undefined {
  return event.device === undefined ? undefined : devices.get(event.device.archiveNumber);
}

/** Member groups that see the device; undefined for an event of the gateway itself. */
export function ownersOf(
  event: ToldEvent,
  facts: Pick<NotifyFacts, 'devices' | 'owners'>,
): ReadonlySet<number> | undefined {
  if (event.device === undefined) return undefined;
  const group = deviceOf(event, facts)?.deviceGroup;
  return (group === undefined ? undefined : facts.owners.get(group)) ?? NO_GROUPS;
}

const NO_GROUPS: ReadonlySet<number> = new Set();

/** The zone of the rule's hours. */
export function zoneOf({ rule }: PreparedRule, device: NotifyDevice | undefined): string {
  return rule.timeZone === '' ? (device?.timeZone ?? '') : rule.timeZone;
}

function coversPlace({ prepared, event, facts }: Asked): boolean {
  const { rule, places } = prepared;
  const owners = ownersOf(event, facts);
  if (owners === undefined) return rule.coversGateway;
  if (!owners.has(rule.memberGroup)) return false;
  const device = deviceOf(event, facts);
  if (places === undefined || device === undefined) return true;
  const { deviceGroup, deviceId } = device;
  return places.devices.has(deviceId) || (deviceGroup !== undefined && places.deviceGroups.has(deviceGroup));
}

function isInSchedule({ prepared, event, facts }: Asked): boolean {
  const { schedule } = prepared.rule;
  return schedule.length === 0 || isScheduled(schedule, zoneOf(prepared, deviceOf(event, facts)), event.beginAtMs);
}

/** The interval counts in both directions: else, when a clock that was ahead is set back, the rule is silent until it gets there again. */
function isWithinInterval({ prepared, moment: { nowMs, lastToldAtMs } }: Asked): boolean {
  const { id, intervalMinutes } = prepared.rule;
  if (intervalMinutes === 0) return false;
  const toldAtMs = lastToldAtMs(id);
  return toldAtMs !== undefined && Math.abs(nowMs - toldAtMs) < intervalMinutes * MINUTE_MS;
}

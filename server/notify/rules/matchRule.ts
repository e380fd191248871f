// Whether a rule tells of an event, and if not, why. Pure.
import type { RuleMiss } from '../../../shared/protocol/api/notify/notifyRules.ts';
import { isScheduled } from '../../../shared/protocol/weekSchedule.ts';
import type { NotifyDevice } from '../../store/notify/notifyPlaces.ts';
import type { NotifyFacts, ToldEvent } from './notifyFacts.ts';
import type { PreparedRule } from './ruleIndex.ts';

/** Late events that are older than that tell nobody: what they are about is over. */
export const LATE_EVENT_MS = 15 * 60_000;
const MINUTE_MS = 60_000;

export interface MatchMoment {
  readonly nowMs: number;
  /** When the rule last told of an event of this device and type; undefined: never, or so long ago that it does not matter. */
  readonly lastToldAtMs: number | undefined;
}

/** All that keeps the rule from telling of the event; empty: it does. Who is told is another matter. */
export function matchRule(
  prepared: PreparedRule,
  event: ToldEvent,
  facts: Pick<NotifyFacts, 'devices' | 'owners'>,
  moment: MatchMoment,
): RuleMiss[] {
  const { rule, types, severities } = prepared;
  const device = deviceOf(event, facts);
  const misses: RuleMiss[] = [];
  if (!rule.enabled) misses.push('disabled');
  if (!coversPlace(prepared, event, facts)) misses.push('other-device');
  if (types?.has(event.type) === false) misses.push('other-type');
  if (severities?.has(event.severity) === false) misses.push('other-severity');
  if (!isScheduled(rule.schedule, zoneOf(prepared, device), event.beginAtMs)) misses.push('not-scheduled');
  if (event.isLate && moment.nowMs - event.beginAtMs > LATE_EVENT_MS) misses.push('too-late');
  if (isWithinInterval(prepared, moment)) misses.push('interval');
  return misses;
}

/** Undefined for one of the gateway itself, and for a device that is gone or disabled. */
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

function coversPlace(
  { rule, places }: PreparedRule,
  event: ToldEvent,
  facts: Pick<NotifyFacts, 'devices' | 'owners'>,
): boolean {
  const owners = ownersOf(event, facts);
  if (owners === undefined) return rule.coversGateway;
  if (!owners.has(rule.memberGroup)) return false;
  const device = deviceOf(event, facts);
  if (places === undefined || device === undefined) return true;
  const { deviceGroup, deviceId } = device;
  return places.devices.has(deviceId) || (deviceGroup !== undefined && places.deviceGroups.has(deviceGroup));
}

function isWithinInterval({ rule }: PreparedRule, { nowMs, lastToldAtMs }: MatchMoment): boolean {
  return lastToldAtMs !== undefined && nowMs - lastToldAtMs < rule.intervalMinutes * MINUTE_MS;
}

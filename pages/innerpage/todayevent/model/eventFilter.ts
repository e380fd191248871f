// Which events of the day are listed, and how many there are of each kind. Pure.
import type { EventRow } from '../../../../shared/protocol/api/events.ts';
import {
  EVENT_STATUSES,
  type EventCategory,
  type EventStatus,
  SEVERITIES,
  type Severity,
} from '../../../../shared/protocol/events/eventWords.ts';

export type EventOwner = 'mine' | 'unassigned';

export interface EventFilter {
  /** The selected values; all where the list is empty. */
  readonly severities: readonly Severity[];
  readonly statuses: readonly EventStatus[];
  /** In each of the other fields, '' stands for any. */
  readonly category: EventCategory | '';
  readonly type: string;
  /** Serial number of a device group, as text. */
  readonly group: string;
  /** Name of the group when it was selected: there may be no event of it left to provide it. */
  readonly groupName: string;
  readonly owner: EventOwner | '';
  readonly search: string;
}

export const ALL_EVENTS: EventFilter = {
  severities: [],
  statuses: [],
  category: '',
  type: '',
  group: '',
  groupName: '',
  owner: '',
  search: '',
};

/** Context that the rows themselves don't contain. */
export interface FilterContext {
  readonly username: string;
  readonly nameOf: (type: string) => string;
  readonly categoryOf: (type: string) => EventCategory | undefined;
}

export interface EventCounts {
  readonly severities: Readonly<Record<Severity, number>>;
  readonly statuses: Readonly<Record<EventStatus, number>>;
}

export function filterEvents(
  rows: readonly EventRow[],
  filter: EventFilter,
  context: FilterContext,
): readonly EventRow[] {
  const matches = matcherOf(filter, context);
  return rows.filter((row) => matches(row) && hasSeverity(filter, row) && hasStatus(filter, row));
}

/**
 * Counts for each value the events that would be listed with the filter set to it: for severities, the events with a listed status, and
 * vice versa.
 */
export function countEvents(rows: readonly EventRow[], filter: EventFilter, context: FilterContext): EventCounts {
  const matches = matcherOf(filter, context);
  const severities = zeros(SEVERITIES);
  const statuses = zeros(EVENT_STATUSES);
  for (const row of rows) {
    if (!matches(row)) continue;
    if (hasStatus(filter, row)) severities[row.severity]++;
    if (hasSeverity(filter, row)) statuses[row.status]++;
  }
  return { severities, statuses };
}

export function isFiltered(filter: EventFilter): boolean {
  const { severities, statuses, search, category, type, group, owner } = filter;
  const isChosen = [category, type, group, owner, search.trim()].some((text) => text !== '');
  return isChosen || severities.length > 0 || statuses.length > 0;
}

/** Adds a value, or removes it if it is in the list. */
export function toggled<Value>(values: readonly Value[], value: Value): readonly Value[] {
  return values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
}

export interface GroupChoice {
  readonly serialno: number;
  readonly name: string;
}

/** The device groups that have events, by name. */
export function groupsOf(rows: readonly EventRow[]): readonly GroupChoice[] {
  const names = new Map(rows.map(({ group, groupName }) => [group, groupName]));
  // An event of the gateway itself has no group.
  names.delete(0);
  const groups = [...names].map(([serialno, name]) => ({ serialno, name }));
  return groups.sort((left, right) => left.name.localeCompare(right.name));
}

/** The types that have events, by code. */
export function typesOf(rows: readonly EventRow[]): readonly string[] {
  return [...new Set(rows.map(({ type }) => type))].sort();
}

/** Everything in the filter except severities and statuses. */
function matcherOf(filter: EventFilter, { username, nameOf, categoryOf }: FilterContext): (row: EventRow) => boolean {
  const { category, type, group, owner } = filter;
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  return (row) => {
    if (type !== '' && row.type !== type) return false;
    if (category !== '' && categoryOf(row.type) !== category) return false;
    if (group !== '' && String(row.group) !== group) return false;
    if (owner === 'mine' && row.assignee !== username) return false;
    if (owner === 'unassigned' && row.assignee !== '') return false;
    if (words.length === 0) return true;
    const text = searchedText(row, nameOf(row.type));
    return words.every((word) => text.includes(word));
  };
}

function searchedText(row: EventRow, name: string): string {
  const { deviceName, plate, deviceid, groupName, driver, assignee, id } = row;
  return [name, deviceName, plate, deviceid, groupName, driver, assignee, id].join('\n').toLowerCase();
}

function hasSeverity({ severities }: EventFilter, { severity }: EventRow): boolean {
  return severities.length === 0 || severities.includes(severity);
}

function hasStatus({ statuses }: EventFilter, { status }: EventRow): boolean {
  return statuses.length === 0 || statuses.includes(status);
}

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}

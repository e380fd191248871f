// The filter of past events. Pure.
import { EVENT_PERIODS } from '../../../../shared/protocol/api/events.ts';
import type { EventStatus, Severity } from '../../../../shared/protocol/events/eventWords.ts';

export const PERIODS = [...EVENT_PERIODS, 'range'] as const;
export type Period = (typeof PERIODS)[number];

/** '' for both. */
export type Either = '' | '0' | '1';
/** `video`: only with recordings. */
type MediaChoice = Either | 'video';

export interface HistoryFilter {
  readonly period: Period;
  /** First and last day of a range: yyyy-MM-dd in the user's zone, both days whole; '' for no limit. */
  readonly fromDay: string;
  readonly toDay: string;
  readonly search: string;
  /** Device ids. Empty lists leave nothing out. */
  readonly devices: readonly string[];
  /** Serial numbers of device groups. */
  readonly groups: readonly number[];
  readonly types: readonly string[];
  readonly severities: readonly Severity[];
  readonly statuses: readonly EventStatus[];
  /** Username; NOBODY for unassigned events, '' for all. */
  readonly assignee: string;
  readonly late: Either;
  readonly media: MediaChoice;
  readonly lasting: Either;
}

/** The value for unassigned events in the list call; no user has this name. */
export const NOBODY = '-';

export const FIRST_FILTER: HistoryFilter = {
  period: '7d',
  fromDay: '',
  toDay: '',
  search: '',
  devices: [],
  groups: [],
  types: [],
  severities: [],
  statuses: [],
  assignee: '',
  late: '',
  media: '',
  lasting: '',
};

type ListName = 'devices' | 'groups' | 'types' | 'severities' | 'statuses';
type TextName = 'search' | 'assignee' | 'late' | 'media' | 'lasting';
/** The filters that narrow the list, besides the period. */
export type NarrowingName = ListName | TextName;

const NARROWING: readonly NarrowingName[] = [
  ...(['search', 'severities', 'statuses', 'types', 'devices', 'groups'] as const),
  ...(['assignee', 'late', 'media', 'lasting'] as const),
];

/** The filters beside the period that are set, in the order of their fields. */
export function narrowingOf(filter: HistoryFilter): readonly NarrowingName[] {
  return NARROWING.filter((name) => filter[name].length > 0);
}

/** The filter for everything of the same period. */
export function withoutNarrowing({ period, fromDay, toDay }: HistoryFilter): HistoryFilter {
  return { ...FIRST_FILTER, period, fromDay, toDay };
}

/** The chosen values in the order of all values, so that one choice has one address. */
export function inOrderOf<Value extends string>(all: readonly Value[], chosen: readonly string[]): readonly Value[] {
  return all.filter((value) => chosen.includes(value));
}

export function isPeriod(text: string): text is Period {
  return PERIODS.some((period) => period === text);
}

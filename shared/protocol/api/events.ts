// Events as operators work with them (docs/contract.md). Times are milliseconds since the epoch, 0 for none.
import * as Type from 'typebox/type';
import {
  EVENT_ACTS,
  EVENT_NOTE_MAX,
  EVENT_SOURCES,
  EVENT_STATUSES,
  EVENTS_AT_ONCE,
  SEVERITIES,
} from '../events/eventWords.ts';
import { MAX_SEARCH_LENGTH } from './lists.ts';
import {
  Count,
  closed,
  Flag,
  Id,
  IdText,
  Nullable,
  OneOf,
  type RecordOf,
  ShortText,
  Text,
  Timestamp,
  Version,
} from './records.ts';

export const EVENTS_PATH = '/api/event/events';
export const EVENT_ACT_PATH = '/api/event/act';
export const EVENT_COUNTS_PATH = '/api/event/counts';
export const EVENT_DAYS_PATH = '/api/event/days';
export const EVENT_FILTERS_PATH = '/api/event/filters';
export const EVENT_ASSIGNEES_PATH = '/api/event/assignees';

/** Maximum rows of Today Event. */
export const TODAY_EVENTS_MAX = 2_000;
/** Maximum rows of one answer: Today Event is loaded in few calls. */
export const EVENT_LIST_ROWS = 500;

export const EVENT_SORTS = ['time', 'severity'] as const;
export type EventSort = (typeof EVENT_SORTS)[number];

/** Bits for the media that are kept of an event. */
export const EventMediaBit = { Clip: 1, Snapshot: 2, Attachment: 4 } as const;

const nullableNumber = Nullable(Type.Number());

export const EventRow = Type.Object({
  id: Id,
  version: Version,
  /** Code of the event type. */
  type: Text,
  severity: OneOf(SEVERITIES, 'info'),
  status: OneOf(EVENT_STATUSES, 'new'),
  source: OneOf(EVENT_SOURCES, 'terminal'),
  /** '' for an event of the gateway itself. */
  deviceid: Text,
  deviceName: Text,
  plate: Text,
  group: Id,
  groupName: Text,
  /** Channel, storage or tire, from 1; 0 for the device as a whole. */
  unit: Type.Integer(),
  /** Fence, or the terminal's own number of an area; 0 for none. */
  area: Type.Integer(),
  /** Name of a fence of the reader's member group; '' for none, and for fences of other groups. */
  areaName: Text,
  /** By the gateway's clock; for a late event, by the device's. */
  beginAtMs: Timestamp,
  /** 0 while it lasts. */
  endAtMs: Timestamp,
  deviceTimeMs: Timestamp,
  lastSeenAtMs: Timestamp,
  /** How often it began: repeats within the merge window belong to it. */
  count: Count,
  value: nullableNumber,
  limit: nullableNumber,
  /** Degrees, WGS 84; null where the place is not known. */
  lat: nullableNumber,
  lng: nullableNumber,
  /** Null: the terminal didn't know it. */
  speedKmh: nullableNumber,
  heading: nullableNumber,
  driver: Text,
  late: Flag,
  /** User name; '' for nobody. */
  assignee: Text,
  /** Code of the reason that it was closed for. */
  reason: Text,
  /** Bits: EventMediaBit. */
  media: Count,
  acknowledgedAtMs: Timestamp,
  closedAtMs: Timestamp,
});
export type EventRow = RecordOf<typeof EventRow>;

export const EventStep = Type.Object({
  id: Id,
  atMs: Timestamp,
  /** '' for the gateway itself. */
  user: Text,
  act: OneOf(EVENT_ACTS, 'note'),
  from: OneOf(EVENT_STATUSES, 'new'),
  to: OneOf(EVENT_STATUSES, 'new'),
  /** Assignee in an assignment; '' for nobody. */
  assignee: Text,
  reason: Text,
  note: Text,
});
export type EventStep = RecordOf<typeof EventStep>;

export const EventDetail = Type.Object({
  event: EventRow,
  steps: Type.Array(EventStep),
  endLat: nullableNumber,
  endLng: nullableNumber,
  endSpeedKmh: nullableNumber,
  endHeading: nullableNumber,
  alarmMark: Text,
});
export type EventDetail = RecordOf<typeof EventDetail>;

const listOf = (pattern: string) => Type.String({ maxLength: 4_000, pattern: `^(${pattern})(,(${pattern}))*$` });
const moment = Type.String({ pattern: '^\\d{1,15}$' });

/** In a query. Several values of one filter are separated by commas. */
export const EventFilters = {
  /** Half-open range of the begin time. */
  from: Type.Optional(moment),
  to: Type.Optional(moment),
  deviceid: Type.Optional(ShortText),
  /** Device ids, each percent-encoded: they may have commas. */
  devices: Type.Optional(listOf("([\\w.!~*'()-]|%[0-9A-F]{2}){1,768}")),
  /** Serial numbers of device groups, without those inside them. */
  groups: Type.Optional(listOf('\\d{1,15}')),
  types: Type.Optional(listOf('[a-z0-9-]{1,60}')),
  severities: Type.Optional(listOf(SEVERITIES.join('|'))),
  statuses: Type.Optional(listOf(EVENT_STATUSES.join('|'))),
  /** User name; `-` for nobody. */
  assignee: Type.Optional(ShortText),
  late: Type.Optional(Type.Enum(['0', '1'])),
  /** With or without recordings, pictures or files; `video`: with recordings. */
  media: Type.Optional(Type.Enum(['0', '1', 'video'])),
  /** Whether the event still lasts. */
  lasting: Type.Optional(Type.Enum(['0', '1'])),
};
const search = Type.Optional(Type.String({ maxLength: MAX_SEARCH_LENGTH }));
/** A whole filter. */
export const EventFilterQuery = Type.Object({ ...EventFilters, search }, closed);
export type EventFilterQuery = RecordOf<typeof EventFilterQuery>;

const Note = Type.String({ maxLength: EVENT_NOTE_MAX });
const Named = Type.Object({ id: Id, version: Version }, closed);

/** One act on one or more events, each as the caller last saw it. */
export const EventActRequest = Type.Object(
  {
    act: OneOf(EVENT_ACTS),
    events: Type.Array(Named, { minItems: 1, maxItems: EVENTS_AT_ONCE }),
    note: Type.Optional(Note),
    /** Required to close an event. */
    reason: Type.Optional(ShortText),
    /** User name in an assignment; '' removes the assignee. */
    assignee: Type.Optional(Type.String({ maxLength: 256 })),
  },
  closed,
);
export type EventActRequest = RecordOf<typeof EventActRequest>;

const ACT_FAILURES = ['gone', 'conflict', 'not-now'] as const;

/** The outcome for each event: the changed events as they are now, and why the others were not changed. */
export const EventActAnswer = Type.Object({
  events: Type.Array(EventRow),
  refused: Type.Array(
    Type.Object({
      id: Id,
      /** `conflict`: another change came first; `not-now`: the status does not allow the act. */
      failure: OneOf(ACT_FAILURES, 'conflict'),
      /** User name of the member who was first; '' for the gateway itself, and if nobody was first. */
      by: Text,
      /** The event as it is now; null if it is gone, or the caller does not see it. */
      event: Nullable(EventRow),
    }),
  ),
});
export type EventActAnswer = RecordOf<typeof EventActAnswer>;

const bySeverity = Type.Object({ critical: Count, major: Count, minor: Count, info: Count });

export const EventCounts = Type.Object({
  /** Unacknowledged events of all times; the menu shows the critical ones. */
  unacknowledged: bySeverity,
  /** Events that are not closed, of all times. */
  open: bySeverity,
});
export type EventCounts = RecordOf<typeof EventCounts>;

/** Maximum number of days between the ends of the period, which are both required. */
export const EVENT_DAYS_MAX = 400;
export const EventDaysQuery = Type.Object(
  {
    ...EventFilters,
    search,
    /** IANA name of the zone that the days are in; UTC if left out. */
    timeZone: Type.Optional(ShortText),
  },
  closed,
);
export type EventDaysQuery = RecordOf<typeof EventDaysQuery>;

/** Counts of the events of a filter by the day that they began on; days without events are left out, the earliest comes first. */
export const EventDays = Type.Array(Type.Object({ fromMs: Timestamp, counts: bySeverity }));
export type EventDays = RecordOf<typeof EventDays>;

export const MAX_FILTER_NAME = 60;
export const SAVED_FILTERS_MAX = 50;

/** Periods up to now, in days of the user's zone; `24h` in hours. A saved filter has one of them in place of `from` and `to`. */
export const EVENT_PERIODS = ['24h', 'today', 'yesterday', '7d', '30d'] as const;

export const SavedFilterQuery = Type.Object(
  { ...EventFilters, search, period: Type.Optional(Type.Enum([...EVENT_PERIODS])) },
  closed,
);
export type SavedFilterQuery = RecordOf<typeof SavedFilterQuery>;
export const NewEventFilter = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: MAX_FILTER_NAME }), query: SavedFilterQuery },
  closed,
);
export type NewEventFilter = RecordOf<typeof NewEventFilter>;
export const SavedEventFilter = Type.Object({ id: Id, name: Text, query: SavedFilterQuery });
export type SavedEventFilter = RecordOf<typeof SavedEventFilter>;
export const SavedEventFilters = Type.Array(SavedEventFilter);

/** A member to whom events can be assigned: of the caller's current group, allowed to work with events, and matching the search. */
export const EventAssignee = Type.Object({ username: Text, displayName: Text });
export type EventAssignee = RecordOf<typeof EventAssignee>;
export const EventAssignees = Type.Array(EventAssignee);
export const EVENT_ASSIGNEES_AT_ONCE = 50;

export const EventIdParams = Type.Object({ id: IdText });

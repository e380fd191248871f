// Data sync: what is fetched from devices' own storage. All calls take `datasync`.
import * as Type from 'typebox/type';
import {
  SYNC_CHOICES,
  SYNC_FAULTS,
  SYNC_ITEM_ACTS,
  SYNC_ITEM_STATES,
  SYNC_METHODS,
  SYNC_PLACES,
  SYNC_REQUEST_OUTCOMES,
  SYNC_STREAMS,
  SYNC_WAITS,
} from '../../sync/syncWords.ts';
import {
  Count,
  closed,
  Flag,
  Id,
  IdText,
  LineOfText,
  OneOf,
  type RecordOf,
  ShortText,
  Text,
  Timestamp,
  Version,
} from '../records.ts';
import { WeekSchedule } from '../weekWindows.ts';

export const SYNC_RULES_PATH = '/api/datasync/rules';
/** GET: a list of SyncItem. */
export const SYNC_ITEMS_PATH = '/api/datasync/items';
/** POST, with a SyncAct. */
export const SYNC_ACT_PATH = '/api/datasync/act';
/** POST, with a SyncRequest: a SyncRequested. */
export const SYNC_REQUEST_PATH = '/api/datasync/request';
/** GET, with a SyncCalendarQuery: a SyncCalendar. */
export const SYNC_CALENDAR_PATH = '/api/datasync/calendar';
/** GET, with a SyncDayQuery: a SyncDay. */
export const SYNC_DAY_PATH = '/api/datasync/day';
/** POST, with the item's id: a DownloadAddress of a file that could not be read as video. */
export const SYNC_FILE_PATH = '/api/datasync/file';

export const MAX_SYNC_RULES = 200;
/** Longest span of one request. */
export const MAX_SYNC_REQUEST_MS = 24 * 3_600_000;
/** How far a request may end after now: requests around a moment of live video do so by minutes, and clocks of browsers differ. */
export const MAX_SYNC_AHEAD_MS = 10 * 60_000;
export const MAX_SYNC_ITEMS_OF_DEVICE = 10_000;

const KnownId = Type.Integer({ minimum: 1 });
const Channel = Type.Integer({ minimum: 1, maximum: 64 });

const ruleContent = {
  name: LineOfText(100),
  enabled: Flag,
  devices: Type.Array(ShortText, { maxItems: 1_000, uniqueItems: true }),
  /** Serial numbers, with the groups inside them. With `devices` empty too: all devices of the member group. */
  deviceGroups: Type.Array(KnownId, { maxItems: 1_000, uniqueItems: true }),
  /** Empty: all. */
  channels: Type.Array(Channel, { maxItems: 64, uniqueItems: true }),
  stream: OneOf(SYNC_STREAMS, 'any'),
  choice: OneOf(SYNC_CHOICES, 'gaps'),
  /** Codes, for the choice `events`; empty: all. */
  eventTypes: Type.Array(ShortText, { maxItems: 500, uniqueItems: true }),
  /** Hours of the week in the device's time zone in which recordings are fetched. Empty: at any time. */
  hours: WeekSchedule,
  daysBack: Type.Integer({ minimum: 1, maximum: 90 }),
  /** The networks that the device may use for fetching; the device itself decides. */
  wifi: Flag,
  lan: Flag,
  mobile: Flag,
  /** Devices at a time. */
  concurrency: Type.Integer({ minimum: 1, maximum: 100 }),
  /** For all devices of the rule together; 0: no limit. */
  kilobitsPerSecond: Type.Integer({ minimum: 0, maximum: 10_000_000 }),
  /** For each device; 0: no limit. */
  megabytesADay: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  /** Fetched recordings may be deleted after this; 0: like the device's other recordings. */
  keptDays: Type.Integer({ minimum: 0, maximum: 3_650 }),
  /** 1 goes first. */
  priority: Type.Integer({ minimum: 1, maximum: 9 }),
};
export const SyncRuleContent = Type.Object(ruleContent, closed);
export type SyncRuleContent = RecordOf<typeof SyncRuleContent>;
export const ChangedSyncRule = Type.Object({ ...ruleContent, version: Version }, closed);
export type ChangedSyncRule = RecordOf<typeof ChangedSyncRule>;
export const SyncRule = Type.Object({
  id: Id,
  version: Version,
  ...ruleContent,
  changedAtMs: Timestamp,
  changedBy: Text,
  /** Items that have not ended. */
  openItems: Count,
});
export type SyncRule = RecordOf<typeof SyncRule>;
export const SYNC_RULE_SORTS = ['name', 'priority', 'changedAtMs'] as const;

export const SyncItem = Type.Object({
  id: Id,
  deviceid: Text,
  name: Text,
  plate: Text,
  channel: Count,
  stream: OneOf(SYNC_STREAMS, 'any'),
  /** By the gateway's clock, and by the device's. */
  fromMs: Timestamp,
  toMs: Timestamp,
  deviceFromMs: Timestamp,
  deviceToMs: Timestamp,
  /** 0: requested by a member or an event. */
  rule: Id,
  ruleName: Text,
  /** User name; '' for none. */
  requestedBy: Text,
  /** 0 unless requested by an event. */
  event: Id,
  state: OneOf(SYNC_ITEM_STATES, 'failed'),
  wait: OneOf(SYNC_WAITS, ''),
  fault: OneOf(SYNC_FAULTS, 'internal'),
  method: OneOf(SYNC_METHODS, 'ftp'),
  attempts: Count,
  receivedBytes: Count,
  /** Size that the device announced; 0 for unknown. */
  totalBytes: Count,
  bytesPerSecond: Count,
  /** There is a file to download that could not be read as video. */
  hasFile: Flag,
  createdAtMs: Timestamp,
  changedAtMs: Timestamp,
});
export type SyncItem = RecordOf<typeof SyncItem>;
/** `order`: in the order of fetching, ended items last. */
export const SYNC_ITEM_SORTS = ['order', 'fromMs', 'changedAtMs'] as const;
export const SyncItemFilters = {
  state: Type.Optional(OneOf(SYNC_ITEM_STATES)),
  rule: Type.Optional(IdText),
  deviceid: Type.Optional(ShortText),
};

export const SyncAct = Type.Object(
  { items: Type.Array(KnownId, { minItems: 1, maxItems: 1_000, uniqueItems: true }), act: OneOf(SYNC_ITEM_ACTS) },
  closed,
);
export type SyncAct = RecordOf<typeof SyncAct>;
/** How many of them the act applied to. */
export const SyncActed = Type.Object({ items: Count });

export const SyncRequest = Type.Object(
  {
    deviceid: ShortText,
    /** Empty: all channels that have a camera. */
    channels: Type.Array(Channel, { maxItems: 64, uniqueItems: true }),
    stream: OneOf(SYNC_STREAMS),
    /** The gateway's clock. */
    fromMs: Type.Integer({ minimum: 0 }),
    toMs: Type.Integer({ minimum: 0 }),
  },
  closed,
);
export type SyncRequest = RecordOf<typeof SyncRequest>;
export const SyncRequested = Type.Object({ items: Type.Array(Id), outcome: OneOf(SYNC_REQUEST_OUTCOMES, 'planned') });
export type SyncRequested = RecordOf<typeof SyncRequested>;

export const SyncCalendarQuery = Type.Object(
  {
    deviceid: ShortText,
    /** `YYYY-MM` in the time zone. */
    month: Type.String({ pattern: '^\\d{4}-\\d{2}$' }),
    timeZone: ShortText,
  },
  closed,
);
/** Milliseconds of each place, in the order of SYNC_PLACES; days with nothing at all are left out. */
export const SyncCalendar = Type.Object({
  /** When the device last listed what it has; 0 for never. */
  listedAtMs: Timestamp,
  days: Type.Array(
    Type.Object({ day: Text, channels: Type.Array(Type.Object({ channel: Count, places: Type.Array(Count) })) }),
  ),
});
export type SyncCalendar = RecordOf<typeof SyncCalendar>;

export const SyncDayQuery = Type.Object(
  { deviceid: ShortText, day: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }), timeZone: ShortText },
  closed,
);
export const SyncDay = Type.Array(
  Type.Object({
    channel: Count,
    /** In order, without overlaps; what lies between is stored nowhere and was not to be recorded. */
    spans: Type.Array(Type.Object({ fromMs: Timestamp, toMs: Timestamp, place: OneOf(SYNC_PLACES, 'device') })),
  }),
);
export type SyncDay = RecordOf<typeof SyncDay>;

export const SyncFileRequest = Type.Object({ item: KnownId }, closed);

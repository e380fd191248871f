// Reports: requested as jobs, made by the gateway, read as tables (docs/contract.md). All calls take `report`, and those of audit
// entries `system` and `audit` too. Times are milliseconds since the epoch, 0 for none.
import * as Type from 'typebox/type';
import { LOCALES } from '../../locale.ts';
import {
  REPORT_COLUMN_TYPES,
  REPORT_DELIVERIES,
  REPORT_FAULTS,
  REPORT_KINDS,
  REPORT_PAUSES,
  REPORT_PERIODS,
  REPORT_STATES,
  SCHEDULE_STEPS,
} from '../../reports/reportWords.ts';
import {
  Count,
  closed,
  Flag,
  Id,
  LineOfText,
  Nullable,
  OneOf,
  type RecordOf,
  ShortText,
  Text,
  Timestamp,
  Version,
} from '../records.ts';

export const REPORT_KINDS_PATH = '/api/report/kinds';
export const REPORT_JOBS_PATH = '/api/report/jobs';
export const REPORT_RESULT_PATH = '/api/report/result';
export const REPORT_SCHEDULES_PATH = '/api/report/schedules';
export const REPORT_SENDERS_PATH = '/api/report/senders';

export const MAX_REPORT_ROWS = 500_000;
export const MAX_REPORT_DAYS = 366;
export const REPORT_KEPT_DAYS = 7;
/** Maximum for one member, waiting and running. */
export const MAX_OPEN_JOBS = 10;
export const MAX_SCHEDULES = 50;
export const MAX_SCHEDULE_NAME = 100;
const MAX_RECIPIENTS = 50;
/** Larger results are mailed as a link. */
export const MAX_MAILED_BYTES = 10 * 1_024 * 1_024;

const KnownId = Type.Integer({ minimum: 1 });

/** The filters that a kind of report can have, beside its period. */
const REPORT_FILTERS = ['devices', 'event-types', 'fences', 'members', 'channels', 'thresholds'] as const;
export type ReportFilter = (typeof REPORT_FILTERS)[number];

export const ReportColumn = Type.Object({ name: Text, type: OneOf(REPORT_COLUMN_TYPES, 'text') });
export type ReportColumn = RecordOf<typeof ReportColumn>;

export const ReportKindInfo = Type.Object({
  kind: OneOf(REPORT_KINDS),
  columns: Type.Array(ReportColumn),
  filters: Type.Array(OneOf(REPORT_FILTERS, 'devices')),
  /** Bars of `value` summed by `by`; null for none. */
  chart: Nullable(Type.Object({ by: Text, value: Text })),
  /** The column of a moment that GPS Playback shows with the row's device; '' for none. */
  moment: Text,
});
export type ReportKindInfo = RecordOf<typeof ReportKindInfo>;
export const ReportKinds = Type.Array(ReportKindInfo);

export const ReportParameters = Type.Object(
  {
    period: OneOf(REPORT_PERIODS),
    /** For `from-to`, half open; 0 otherwise. */
    fromMs: Type.Integer({ minimum: 0 }),
    toMs: Type.Integer({ minimum: 0 }),
    /** IANA name of the zone of periods, days and months. */
    timeZone: ShortText,
    /** Serial numbers, with the groups inside them. With `devices` empty too: all devices of the member group. */
    deviceGroups: Type.Array(KnownId, { maxItems: 1_000, uniqueItems: true }),
    devices: Type.Array(ShortText, { maxItems: 1_000, uniqueItems: true }),
    /** Codes; empty: all. */
    eventTypes: Type.Array(ShortText, { maxItems: 500, uniqueItems: true }),
    /** Ids; empty: all. */
    fences: Type.Array(KnownId, { maxItems: 1_000, uniqueItems: true }),
    members: Type.Array(KnownId, { maxItems: 200, uniqueItems: true }),
    /** Rows with less are left out; 0: no row is. */
    leastMinutes: Type.Integer({ minimum: 0, maximum: 10_080 }),
    /** For speeding: only events above this speed; 0: all. */
    speedKmh: Type.Integer({ minimum: 0, maximum: 250 }),
  },
  closed,
);
export type ReportParameters = RecordOf<typeof ReportParameters>;

export const ReportRequest = Type.Object({ kind: OneOf(REPORT_KINDS), parameters: ReportParameters }, closed);
export type ReportRequest = RecordOf<typeof ReportRequest>;

export const ReportJob = Type.Object({
  id: Id,
  kind: OneOf(REPORT_KINDS),
  parameters: ReportParameters,
  /** The period as it was at the time of the request. */
  fromMs: Timestamp,
  toMs: Timestamp,
  /** 0: not requested by a schedule. */
  schedule: Id,
  state: OneOf(REPORT_STATES, 'failed'),
  /** 0 to 1. */
  progress: Type.Number(),
  rows: Count,
  bytes: Count,
  isCut: Flag,
  fault: OneOf(REPORT_FAULTS, 'internal'),
  createdAtMs: Timestamp,
  startedAtMs: Timestamp,
  finishedAtMs: Timestamp,
  expiresAtMs: Timestamp,
});
export type ReportJob = RecordOf<typeof ReportJob>;
export const REPORT_JOB_SORTS = ['createdAtMs'] as const;
export const ReportJobFilters = {
  kind: Type.Optional(OneOf(REPORT_KINDS)),
  state: Type.Optional(OneOf(REPORT_STATES)),
};

export function reportJobPath(id: number | string): string {
  return `${REPORT_JOBS_PATH}/${id}`;
}
/** POST: cancels a waiting or running job. */
export function reportCancelPath(id: number | string): string {
  return `${REPORT_JOBS_PATH}/${id}/cancel`;
}
/** POST: another job of the same kind and parameters. */
export function reportAgainPath(id: number | string): string {
  return `${REPORT_JOBS_PATH}/${id}/again`;
}

/** `GET /api/report/result`, with the job's id; `sort` is a column's name. Values are in the order of the columns. */
export const ReportResultQuery = Type.Object(
  {
    job: Type.String({ pattern: '^[1-9]\\d{0,14}$' }),
    sort: Type.Optional(ShortText),
    descending: Type.Optional(OneOf(['true', 'false'])),
    search: Type.Optional(Type.String({ maxLength: 200 })),
    limit: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,2}$' })),
    after: Type.Optional(Type.String({ maxLength: 2_000 })),
    before: Type.Optional(Type.String({ maxLength: 2_000 })),
  },
  closed,
);
export const ReportRow = Type.Object({
  /** Number in the result, from 1. */
  row: Count,
  /** '' for a row of no device. */
  deviceid: Text,
  values: Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()])),
});
export type ReportRow = RecordOf<typeof ReportRow>;
export const ReportResult = Type.Object({
  job: ReportJob,
  total: Count,
  rows: Type.Array(ReportRow),
  next: Nullable(Text),
  previous: Nullable(Text),
  /** Number of rows that are not shown, because the reader may no longer see their devices. */
  hidden: Count,
});
export type ReportResult = RecordOf<typeof ReportResult>;

export const ReportChart = Type.Array(Type.Object({ by: Text, value: Type.Number() }));
export type ReportChart = RecordOf<typeof ReportChart>;
/** GET, with `job`. */
export const REPORT_CHART_PATH = '/api/report/chart';
/** The answer is a DownloadAddress. */
export const REPORT_FILE_PATH = '/api/report/file';
const REPORT_FORMATS = ['csv', 'xlsx'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];
export const ReportFile = Type.Object(
  {
    job: KnownId,
    format: OneOf(REPORT_FORMATS),
    language: OneOf(LOCALES),
    timeZone: ShortText,
  },
  closed,
);
export type ReportFile = RecordOf<typeof ReportFile>;

const content = {
  name: LineOfText(MAX_SCHEDULE_NAME),
  enabled: Flag,
  kind: OneOf(REPORT_KINDS),
  /** Their time zone is also the schedule's. */
  parameters: ReportParameters,
  every: OneOf(SCHEDULE_STEPS),
  /** For `weekly`: 1 Monday to 7 Sunday; 0 otherwise. */
  weekday: Type.Integer({ minimum: 0, maximum: 7 }),
  /** For `monthly`: 1 to 31, in shorter months the last day; 0 otherwise. */
  monthDay: Type.Integer({ minimum: 0, maximum: 31 }),
  minuteOfDay: Type.Integer({ minimum: 0, maximum: 1_439 }),
  format: OneOf(REPORT_FORMATS),
  language: OneOf(LOCALES),
  /** A mail sender. */
  sender: KnownId,
  /** Mail addresses. */
  recipients: Type.Array(Type.String({ minLength: 3, maxLength: 254 }), {
    minItems: 1,
    maxItems: MAX_RECIPIENTS,
    uniqueItems: true,
  }),
};
export const ReportScheduleContent = Type.Object(content, closed);
export type ReportScheduleContent = RecordOf<typeof ReportScheduleContent>;
export const ChangedReportSchedule = Type.Object({ ...content, version: Version }, closed);
export type ChangedReportSchedule = RecordOf<typeof ChangedReportSchedule>;
export const ReportSchedule = Type.Object({
  id: Id,
  version: Version,
  ...content,
  /** Why the schedule doesn't run although it is enabled. */
  pause: OneOf(REPORT_PAUSES, ''),
  lastRunAtMs: Timestamp,
  /** 0: none, or it no longer exists. */
  lastJob: Id,
  lastDelivery: OneOf(REPORT_DELIVERIES, ''),
  nextRunAtMs: Timestamp,
});
export type ReportSchedule = RecordOf<typeof ReportSchedule>;
export const REPORT_SCHEDULE_SORTS = ['name', 'nextRunAtMs'] as const;

/** Mail senders that a schedule can use. */
export const ReportSenders = Type.Array(Type.Object({ id: Id, name: Text, enabled: Flag }));
export type ReportSenders = RecordOf<typeof ReportSenders>;

// The names that reports are described with. Tables hold the numbers of states, so none is ever moved.
export const REPORT_STATES = [
  'queued',
  'running',
  'done',
  'failed',
  'canceled',
  /** The gateway ended before it was done. */
  'interrupted',
] as const;
export type ReportState = (typeof REPORT_STATES)[number];

export const REPORT_FAULTS = ['', 'no-devices', 'disk-full', 'too-large', 'internal', 'interrupted'] as const;
export type ReportFault = (typeof REPORT_FAULTS)[number];

export const REPORT_KINDS = [
  'trips',
  'stops',
  'mileage-day',
  'mileage-month',
  'idling',
  'speeding',
  'fence-visits',
  'driver-hours',
  'passengers',
  'fuel-temperature',
  'event-matrix',
  'response-times',
  'online',
  'recording-coverage',
  'video-loss',
  'storage-faults',
  'commands',
  'audit',
  'netflow',
  'firmware',
  'sync',
] as const;
export type ReportKind = (typeof REPORT_KINDS)[number];

/** The type of a column, which decides how it is shown, sorted and exported. */
export const REPORT_COLUMN_TYPES = [
  'text',
  /** An id: shown as the device's name. */
  'device',
  /** A code of an event type. */
  'event-type',
  /** A code that the page has a text for, by the column's name. */
  'code',
  'time',
  /** `YYYY-MM-DD` or `YYYY-MM`. */
  'day',
  'duration',
  'distance',
  'speed',
  'liters',
  'celsius',
  'share',
  'count',
  'degrees',
  /** Shown and exported in megabytes of a million bytes, as data plans are sold. */
  'bytes',
] as const;
export type ReportColumnType = (typeof REPORT_COLUMN_TYPES)[number];

export const REPORT_PERIODS = [
  'today',
  'yesterday',
  'this-week',
  'last-week',
  'this-month',
  'last-month',
  'from-to',
] as const;
export type ReportPeriod = (typeof REPORT_PERIODS)[number];

export const SCHEDULE_STEPS = ['daily', 'weekly', 'monthly'] as const;
export type ScheduleStep = (typeof SCHEDULE_STEPS)[number];

export const REPORT_PAUSES = ['', 'no-devices', 'no-permission', 'no-sender'] as const;
export type ReportPause = (typeof REPORT_PAUSES)[number];

export const REPORT_DELIVERIES = ['', 'sent', 'link-sent', 'failed'] as const;
export type ReportDelivery = (typeof REPORT_DELIVERIES)[number];

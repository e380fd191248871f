// What reports and their columns are called: English, and the keys of their translations (Report.json).
import type { ReportColumnType, ReportKind } from './reportWords.ts';

export const REPORT_KIND_NAMES: Readonly<Record<ReportKind, string>> = {
  trips: 'Trips',
  stops: 'Stops',
  'mileage-day': 'Mileage by day',
  'mileage-month': 'Mileage by month',
  idling: 'Idling',
  speeding: 'Speeding',
  'fence-visits': 'Geofence visits',
  'driver-hours': 'Driver hours',
  passengers: 'Passengers',
  'fuel-temperature': 'Fuel and temperature',
  'event-matrix': 'Events by type, group and day',
  'response-times': 'Response times',
  online: 'Online rate and absences',
  'recording-coverage': 'Recording coverage',
  'video-loss': 'Video loss',
  'storage-faults': 'Storage faults',
  commands: 'Commands sent',
  audit: 'Audit log',
};

/** By the column's name, which means the same in every kind. */
export const REPORT_COLUMN_NAMES: Readonly<Record<string, string>> = {
  device: 'Device',
  driver: 'Driver',
  start: 'Start',
  end: 'End',
  day: 'Date',
  month: 'Month',
  startPlace: 'Start place',
  endPlace: 'End place',
  place: 'Place',
  distance: 'Distance',
  measuredBy: 'Measured by',
  moving: 'Driving time',
  idle: 'Idling time',
  ignition: 'Ignition on',
  stops: 'Stops',
  days: 'Days',
  maxSpeed: 'Maximum speed',
  meanSpeed: 'Average speed',
  odometerStart: 'Odometer at start',
  odometerEnd: 'Odometer at end',
  fuel: 'Fuel used',
  tripState: 'Trip status',
  duration: 'Duration',
  speed: 'Speed',
  limit: 'Speed limit',
  fence: 'Geofence',
  licence: 'License number',
  readResult: 'Card reading',
  boarded: 'Boarded',
  alighted: 'Alighted',
  fuelMin: 'Lowest fuel level',
  fuelMax: 'Highest fuel level',
  fuelMean: 'Average fuel level',
  cabinMin: 'Lowest cabin temperature',
  cabinMax: 'Highest cabin temperature',
  cabinMean: 'Average cabin temperature',
  positions: 'Positions',
  group: 'Device group',
  eventType: 'Event type',
  events: 'Events',
  member: 'Member',
  acknowledged: 'Acknowledged',
  acknowledgeMean: 'Average time to acknowledge',
  acknowledgeMax: 'Longest time to acknowledge',
  closed: 'Closed',
  closeMean: 'Average time to close',
  closeMax: 'Longest time to close',
  entry: 'Entry',
  withheld: 'Withheld by data plan',
  online: 'Online time',
  share: 'Percentage',
  absences: 'Absences',
  channel: 'Channel',
  due: 'To be recorded',
  recorded: 'Recorded',
  storage: 'Storage',
  command: 'Command',
  requestedBy: 'Requested by',
  reason: 'Reason',
  created: 'Created',
  sent: 'Sent',
  finished: 'Finished',
  orderState: 'Command status',
  result: 'Result code',
  at: 'Time',
  action: 'Action',
  target: 'Target',
  address: 'Address',
};

/** What the codes of a column of type `code` are called; those of `action` are in AuditWords.json. */
export const REPORT_CODE_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  measuredBy: { odometer: 'Odometer', line: 'Track' },
  tripState: { 'under-way': 'Under way', ended: 'Ended' },
  readResult: {
    read: 'Read',
    'not-authenticated': 'Not authenticated',
    locked: 'Card locked',
    pulled: 'Card removed',
    'check-failed': 'Check failed',
  },
  entry: { total: 'Total', absence: 'Absence', gap: 'Gap' },
  command: {
    text: 'Text to the driver',
    question: 'Question to the driver',
    eventSet: 'Event menu',
    setParameters: 'Alarm limits',
    confirmAlarm: 'Alarm confirmation',
  },
  orderState: {
    waiting: 'Waiting',
    sent: 'Sent',
    done: 'Done',
    refused: 'Refused',
    'no-answer': 'No answer',
    expired: 'Expired',
    unknown: 'Unknown',
  },
};

/** In the heads of files, and how many units one of the file's is. Values are in meters, milliseconds and parts of one. */
export const REPORT_UNITS: Readonly<
  Partial<Record<ReportColumnType, { readonly unit: string; readonly size: number }>>
> = {
  distance: { unit: 'km', size: 1_000 },
  duration: { unit: 'min', size: 60_000 },
  speed: { unit: 'km/h', size: 1 },
  liters: { unit: 'L', size: 1 },
  celsius: { unit: '°C', size: 1 },
  share: { unit: '%', size: 0.01 },
  degrees: { unit: '°', size: 1 },
};

/** Of mails with a report. */
export const REPORT_MAIL_TEXTS = [
  'The report is attached.',
  'The report is too large for a mail. Open it here after signing in:',
  'The report is too large for a mail. Sign in and open it on the Report page.',
  'The report was cut at the maximum number of rows.',
] as const;
export type ReportMailText = (typeof REPORT_MAIL_TEXTS)[number];

export const REPORT_TEXTS: readonly string[] = [
  ...new Set([
    ...Object.values(REPORT_KIND_NAMES),
    ...Object.values(REPORT_COLUMN_NAMES),
    ...Object.values(REPORT_CODE_NAMES).flatMap((names) => Object.values(names)),
    ...REPORT_MAIL_TEXTS,
  ]),
];

// Where a device was (docs/contract.md). Times are milliseconds since the epoch by the gateway's clock; `clock` says how far that was
// ahead of the device's. Any signed-in member may ask for devices of the current member group.
import * as Type from 'typebox/type';
import { SEVERITIES } from '../../events/eventWords.ts';
import { Count, closed, Flag, Id, Nullable, OneOf, type RecordOf, ShortText, Text, Timestamp } from '../records.ts';

export const TRACK_LINE_PATH = '/api/track/line';
export const TRACK_CHART_PATH = '/api/track/chart';
export const TRACK_POINTS_PATH = '/api/track/points';
export const TRACK_SUMMARY_PATH = '/api/track/summary';
export const TRACK_EXPORT_PATH = '/api/track/export';

/** The longest span of a query. */
export const MAX_TRACK_DAYS = 31;
export const MAX_TRACK_SPAN_MS = MAX_TRACK_DAYS * 86_400_000;
export const MAX_TRACK_DEVICES = 8;
export const MAX_LINE_POINTS = 20_000;
export const MAX_CHART_STEPS = 2_000;
export const MAX_TRACK_ROWS = 500;
/** A longer silence is a gap and not a straight drive. */
export const TRACK_GAP_MS = 5 * 60_000;

const Milliseconds = Type.String({ pattern: '^\\d{1,15}$' });
const Degrees = Type.Number();

/** Half open. */
const span = { deviceid: ShortText, from: Milliseconds, to: Milliseconds };

/** How far the gateway's clock was ahead of the device's, from `fromMs` on by the gateway's clock. Empty: unknown, and taken as 0. */
export const TrackClock = Type.Array(Type.Object({ fromMs: Timestamp, offsetMs: Type.Integer() }));
export type TrackClock = RecordOf<typeof TrackClock>;

export const TrackLineQuery = Type.Object(
  {
    ...span,
    /**
     * Resolution of the map that the line is drawn on, at the equator: no drawn line is more than a pixel off. Left out: every
     * point, as far as `most` allows.
     */
    degreesPerPixel: Type.Optional(Type.String({ pattern: '^\\d{1,3}(\\.\\d{1,12})?(e-\\d{1,2})?$' })),
    /** Points of the answer at most; MAX_LINE_POINTS when left out. */
    most: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,4}$' })),
  },
  closed,
);

/** Each list has one entry per point, in the order of time. Points without a fix are left out. */
export const TrackLine = Type.Object({
  atMs: Type.Array(Timestamp),
  lat: Type.Array(Degrees),
  lng: Type.Array(Degrees),
  /** Null where the terminal didn't know it. */
  speedKmh: Type.Array(Nullable(Type.Number())),
  /** Clockwise from north; likewise. */
  headingDeg: Type.Array(Nullable(Type.Number())),
  /** Places in the lists of the points that follow a gap. */
  gaps: Type.Array(Count),
  /** Positions that were stored in the span, shown or not. */
  positions: Count,
  /** More points than requested would be needed to keep the line within a pixel. */
  isCoarse: Flag,
  clock: TrackClock,
});
export type TrackLine = RecordOf<typeof TrackLine>;

export const TrackChartQuery = Type.Object(
  { ...span, steps: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,3}$' })) },
  closed,
);

const Series = Type.Array(Nullable(Type.Number()));

/** The span in steps of the same length; null where nothing was reported. */
export const TrackChart = Type.Object({
  fromMs: Timestamp,
  stepMs: Type.Integer(),
  speedMin: Series,
  speedMax: Series,
  /** Limit of the speeding rule that applies to the device; null for none. */
  speedLimitKmh: Nullable(Type.Number()),
  altitude: Series,
  fuelLiters: Series,
  cabinCelsius: Series,
  /** 0 to 1: the share of the step with the ignition on. */
  ignition: Series,
  signal: Series,
});
export type TrackChart = RecordOf<typeof TrackChart>;

export const TrackPointsQuery = Type.Object(
  {
    ...span,
    limit: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,2}$' })),
    /** A cursor of an earlier answer; only one of the two. */
    after: Type.Optional(Type.String({ maxLength: 200 })),
    before: Type.Optional(Type.String({ maxLength: 200 })),
    /** Instead of a cursor: the page that begins with the last position at or before that moment. */
    at: Type.Optional(Milliseconds),
  },
  closed,
);

export const TrackPoint = Type.Object({
  atMs: Timestamp,
  deviceTimeMs: Timestamp,
  receivedAtMs: Timestamp,
  /** Recorded without a connection, and sent afterwards. */
  isLate: Flag,
  hasFix: Flag,
  lat: Degrees,
  lng: Degrees,
  /** Null: the terminal doesn't know it. Likewise the others. */
  altitudeM: Nullable(Type.Number()),
  speedKmh: Nullable(Type.Number()),
  headingDeg: Nullable(Type.Number()),
  ignitionOn: Flag,
  alarmBits: Type.Integer(),
  mileageKm: Nullable(Type.Number()),
  fuelLiters: Nullable(Type.Number()),
  cabinCelsius: Nullable(Type.Number()),
  signal: Nullable(Type.Number()),
});
export type TrackPoint = RecordOf<typeof TrackPoint>;

export const TrackPoints = Type.Object({
  rows: Type.Array(TrackPoint),
  next: Nullable(Text),
  previous: Nullable(Text),
});
export type TrackPoints = RecordOf<typeof TrackPoints>;

export const Trip = Type.Object({
  id: Id,
  driver: Text,
  fromMs: Timestamp,
  toMs: Timestamp,
  /** Under way: the rest may still change. */
  isOpen: Flag,
  clockOffsetMs: Type.Integer(),
  fromLat: Degrees,
  fromLng: Degrees,
  toLat: Degrees,
  toLng: Degrees,
  /** Names of the fences that the place lies in; '' for none. */
  fromPlace: Text,
  toPlace: Text,
  metres: Count,
  /** By the odometer, and not by the line. */
  isOdometer: Flag,
  /** The odometer differs from the line by more than is possible, so the line counts. */
  odometerDiffers: Flag,
  movingMs: Count,
  idleMs: Count,
  maxSpeedKmh: Type.Number(),
  meanSpeedKmh: Type.Number(),
  fuelLiters: Nullable(Type.Number()),
});
export type Trip = RecordOf<typeof Trip>;

export const TrackStop = Type.Object({
  id: Id,
  fromMs: Timestamp,
  toMs: Timestamp,
  isOpen: Flag,
  clockOffsetMs: Type.Integer(),
  lat: Degrees,
  lng: Degrees,
  place: Text,
  idleMs: Count,
});
export type TrackStop = RecordOf<typeof TrackStop>;

/** Only for readers to whom events are shown. */
export const TrackEvent = Type.Object({
  id: Id,
  /** Code of the type. */
  type: Text,
  severity: OneOf(SEVERITIES, 'info'),
  beginAtMs: Timestamp,
  endAtMs: Timestamp,
  /** Null where it isn't known. */
  lat: Nullable(Degrees),
  lng: Nullable(Degrees),
  /** It has pictures. */
  hasPictures: Flag,
});
export type TrackEvent = RecordOf<typeof TrackEvent>;

const TrackRange = Type.Object({ fromMs: Timestamp, toMs: Timestamp });

export const TrackSummaryQuery = Type.Object(span, closed);

export const TrackSummary = Type.Object({
  clock: TrackClock,
  trips: Type.Array(Trip),
  stops: Type.Array(TrackStop),
  gaps: Type.Array(TrackRange),
  events: Type.Array(TrackEvent),
  /** Recorded on the server, by channel. */
  recordings: Type.Array(Type.Object({ channel: Count, ranges: Type.Array(TrackRange) })),
  /** There is more of something than one answer holds. */
  isCut: Flag,
});
export type TrackSummary = RecordOf<typeof TrackSummary>;
export const MAX_SUMMARY_ROWS = 2_000;

export const TRACK_EXPORT_FORMATS = ['csv', 'gpx', 'kml', 'geojson', 'xlsx'] as const;
export type TrackExportFormat = (typeof TRACK_EXPORT_FORMATS)[number];

/** The answer is a DownloadAddress. */
export const TrackExport = Type.Object(
  {
    deviceid: ShortText,
    fromMs: Type.Integer({ minimum: 0 }),
    toMs: Type.Integer({ minimum: 0 }),
    format: OneOf(TRACK_EXPORT_FORMATS),
    language: ShortText,
    /** IANA name of the zone of the times in a spreadsheet and a CSV file. */
    timeZone: ShortText,
  },
  closed,
);
export type TrackExport = RecordOf<typeof TrackExport>;

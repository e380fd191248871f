// Fences: areas of a member group, and what happens when its devices enter, leave or break their rules (docs/contract.md). Changing
// them takes `system` and `fence`; every signed-in member of the group sees them.
import * as Type from 'typebox/type';
import { FENCE_FAULTS, FENCE_KINDS, TERMINAL_AREA_NOTES, TERMINAL_AREA_STATES } from '../../fences/fenceWords.ts';
import { ChosenTimeZone } from '../accounts.ts';
import { IMPORT_ENCODINGS } from '../imports/importEncodings.ts';
import {
  Count,
  closed,
  Flag,
  Id,
  LineOfText,
  OneOf,
  type RecordOf,
  ShortText,
  Text,
  Timestamp,
  Version,
} from '../records.ts';
import { WeekSchedule } from '../weekWindows.ts';

export const FENCES_SHOWN_PATH = '/api/fence/shown';
export const FENCES_PATH = '/api/fence/fences';
export const FENCE_CHECK_PATH = '/api/fence/check';
export const FENCE_APPLY_PATH = '/api/fence/apply';
export const FENCE_PREVIEW_PATH = '/api/fence/preview';
export const FENCE_DEVICE_PATH = '/api/fence/device';
export const FENCE_EXPORT_PATH = '/api/fence/export';

export const MAX_FENCE_NAME = 100;
/** Maximum for a member group. */
export const MAX_FENCES = 5_000;
/** Maximum for all fences of a member group together. */
export const MAX_FENCE_VERTICES = 300_000;
const MAX_GROUPS = 1_000;
const MAX_DEVICES = 1_000;
/** More than a fence may have, so that a larger one is refused with its reason. */
const MAX_READ_VERTICES = 5_000;
const MINUTES_A_WEEK = 10_080;

const KnownId = Type.Integer({ minimum: 1 });
const Minutes = Type.Integer({ minimum: 0, maximum: MINUTES_A_WEEK });
/** Longitude and latitude, WGS 84. */
export const LngLat = Type.Tuple([Type.Number(), Type.Number()]);
export type LngLat = RecordOf<typeof LngLat>;

/** GeoJSON. A ring is closed: its last position is its first again. */
export const FenceGeometry = Type.Union([
  Type.Object({ type: Type.Literal('Point'), coordinates: LngLat }, closed),
  Type.Object(
    { type: Type.Literal('LineString'), coordinates: Type.Array(LngLat, { maxItems: MAX_READ_VERTICES }) },
    closed,
  ),
  Type.Object(
    {
      type: Type.Literal('Polygon'),
      coordinates: Type.Array(Type.Array(LngLat, { maxItems: MAX_READ_VERTICES }), { maxItems: 10 }),
    },
    closed,
  ),
]);
export type FenceGeometry = RecordOf<typeof FenceGeometry>;

/** Each rule raises an event; 0 for none. */
export const FenceRules = Type.Object(
  {
    enter: Flag,
    leave: Flag,
    insideMinutes: Minutes,
    outsideMinutes: Minutes,
    speedKmh: Type.Integer({ minimum: 0, maximum: 250 }),
    parkedMinutes: Minutes,
    /** For a corridor: driven from its end to its beginning. */
    wrongDirection: Flag,
  },
  closed,
);
export type FenceRules = RecordOf<typeof FenceRules>;

const shape = {
  kind: OneOf(FENCE_KINDS),
  /** Circle: Point, the center. Corridor: LineString. Polygon and rectangle: Polygon of one ring; a rectangle lies along the parallels. */
  geometry: FenceGeometry,
  /** Radius of a circle; 0 for other kinds. */
  radiusMeters: Type.Number({ minimum: 0 }),
  /** Width of a corridor, from edge to edge; 0 for other kinds. */
  widthMeters: Type.Number({ minimum: 0 }),
};

export const FenceShape = Type.Object(shape, closed);
export type FenceShape = RecordOf<typeof FenceShape>;

const content = {
  name: LineOfText(MAX_FENCE_NAME),
  enabled: Flag,
  ...shape,
  /** `#rrggbb`. */
  color: Type.String({ pattern: '^#[0-9a-f]{6}$' }),
  /** When the fence becomes active and when it expires; 0: no limit. */
  validFromMs: Timestamp,
  validToMs: Timestamp,
  /** When its rules apply; empty: at any time. */
  schedule: WeekSchedule,
  /** Time zone of the schedule: IANA name; '' for the device's own. */
  timeZone: ChosenTimeZone,
  /** Serial numbers, with the groups inside them. With `devices` empty too: all devices of the member group. */
  deviceGroups: Type.Array(KnownId, { maxItems: MAX_GROUPS, uniqueItems: true }),
  /** Device ids, beside those of the groups. */
  devices: Type.Array(ShortText, { maxItems: MAX_DEVICES, uniqueItems: true }),
  rules: FenceRules,
};

export const FenceContent = Type.Object(content, closed);
export type FenceContent = RecordOf<typeof FenceContent>;

export const ChangedFence = Type.Object({ ...content, version: Version }, closed);
export type ChangedFence = RecordOf<typeof ChangedFence>;

export const Fence = Type.Object({
  id: Id,
  version: Version,
  ...content,
  changedAtMs: Timestamp,
  changedBy: Text,
});
export type Fence = RecordOf<typeof Fence>;

export const FENCE_SORTS = ['name', 'changedAtMs'] as const;
export type FenceSort = (typeof FENCE_SORTS)[number];
export const FenceFilters = { kind: Type.Optional(OneOf(FENCE_KINDS)) };

/** A fence on every member's maps, which show only active ones. */
export const ShownFence = Type.Object({ id: Id, name: Text, ...shape, color: Text });
export type ShownFence = RecordOf<typeof ShownFence>;
export const ShownFences = Type.Array(ShownFence);

/** `column` of a refused outline's fault: `geometry`. */
export const FENCE_GEOMETRY_FIELD = 'geometry';

export const MAX_FENCE_IMPORT_BYTES = 5 * 1_024 * 1_024;
export const MAX_IMPORTED_FENCES = 1_000;
const FENCE_FILE_FORMATS = ['geojson', 'kml', 'gpx', 'csv'] as const;
export type FenceFileFormat = (typeof FENCE_FILE_FORMATS)[number];
const FENCE_EXPORT_FORMATS = ['geojson', 'kml'] as const;
export type FenceExportFormat = (typeof FENCE_EXPORT_FORMATS)[number];

export const FenceExport = Type.Object({ format: OneOf(FENCE_EXPORT_FORMATS) }, closed);

/** The file is the body; its format is detected from its content. */
export const FenceImportChoice = Type.Object(
  {
    /** Width for lines and radius for points that have none, in meters. */
    widthMeters: Type.Optional(Type.String({ pattern: '^\\d{1,5}$' })),
    radiusMeters: Type.Optional(Type.String({ pattern: '^\\d{1,7}$' })),
    /** Name for features without one, such as the name of the file. */
    name: Type.Optional(Type.String({ maxLength: MAX_FENCE_NAME })),
    /** Left out: the encoding is detected. */
    encoding: Type.Optional(OneOf(IMPORT_ENCODINGS)),
  },
  closed,
);
export type FenceImportChoice = RecordOf<typeof FenceImportChoice>;

const IMPORT_FAULTS = [
  ...FENCE_FAULTS,
  'name-too-long',
  'bad-number',
  'bad-wkt',
  'bad-coordinates',
  'too-many',
] as const;
export type FenceImportFault = (typeof IMPORT_FAULTS)[number];

/** Fences are identified by their names: an existing one is changed. */
export const FenceImportRow = Type.Object({
  /** In the file, from 1: line of a CSV file, otherwise the feature. */
  line: Count,
  name: Text,
  kind: OneOf(FENCE_KINDS),
  outcome: OneOf(['added', 'changed', 'unchanged', 'refused'], 'refused'),
  faults: Type.Array(OneOf(IMPORT_FAULTS, 'fence-other-geometry')),
  /** For `bad-coordinates`: the number of the position, and the text there; otherwise ''. */
  at: Text,
});
export type FenceImportRow = RecordOf<typeof FenceImportRow>;

/** The answer to a completed import. */
export const FenceImportCounts = Type.Object({ added: Count, changed: Count, unchanged: Count, refused: Count });
export type FenceImportCounts = RecordOf<typeof FenceImportCounts>;

export const FenceImportPlan = Type.Object({
  format: OneOf(FENCE_FILE_FORMATS),
  encoding: OneOf(IMPORT_ENCODINGS),
  /** The file doesn't say its encoding, and others fit as well. */
  isGuess: Flag,
  counts: FenceImportCounts,
  /** Stands for exactly these outcomes, given what the database held. */
  token: Text,
  rows: Type.Array(FenceImportRow),
  /** Outlines of the rows that are not refused, for the map, by the row's place in the file. */
  shapes: Type.Array(Type.Object({ line: Count, ...shape })),
});
export type FenceImportPlan = RecordOf<typeof FenceImportPlan>;

export const FenceImportApplication = Type.Object({
  ...FenceImportChoice.properties,
  token: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

export const FENCE_PREVIEW_DAYS = 7;
export const MAX_PREVIEW_EVENTS = 500;
/** A fence as it is being edited. */
export const FencePreviewRequest = Type.Object({ fence: FenceContent }, closed);
export const FencePreview = Type.Object({
  devices: Count,
  /** Number of all events, listed or not. */
  total: Count,
  events: Type.Array(
    Type.Object({
      deviceid: Text,
      deviceName: Text,
      /** Code of the event type. */
      type: Text,
      atMs: Timestamp,
      lat: Type.Number(),
      lng: Type.Number(),
    }),
  ),
  /** There were more positions than are looked at. */
  isCut: Flag,
});
export type FencePreview = RecordOf<typeof FencePreview>;

export function fenceDevicesPath(id: number | string): string {
  return `${FENCES_PATH}/${id}/devices`;
}

/** A terminal's copy of a fence. */
export const TerminalArea = Type.Object({
  deviceid: Text,
  name: Text,
  plate: Text,
  isOnline: Flag,
  state: OneOf(TERMINAL_AREA_STATES, 'waiting'),
  note: OneOf(TERMINAL_AREA_NOTES, ''),
  /** The fence was changed since then. */
  isOld: Flag,
  changedAtMs: Timestamp,
});
export type TerminalArea = RecordOf<typeof TerminalArea>;
export const TerminalAreas = Type.Array(TerminalArea);

export const TERMINAL_AREA_ACTS = ['put', 'remove', 'ask'] as const;
export type TerminalAreaAct = (typeof TERMINAL_AREA_ACTS)[number];
/** `ask` asks the terminal for what it has. The answer is TerminalAreas. */
export const TerminalAreaRequest = Type.Object(
  {
    fence: KnownId,
    act: OneOf(TERMINAL_AREA_ACTS),
    devices: Type.Array(ShortText, { minItems: 1, maxItems: 100, uniqueItems: true }),
  },
  closed,
);
export type TerminalAreaRequest = RecordOf<typeof TerminalAreaRequest>;

// A geofence as read from a file: its geometry and its other values, whatever the format. Pure.
import {
  type FenceImportFault,
  type FenceShape,
  type LngLat,
  MAX_FENCE_NAME,
  MAX_IMPORTED_FENCES,
} from '../../../../shared/protocol/api/fences/fences.ts';
import { faultsOfShape } from '../../../../shared/protocol/fences/geometryFaults.ts';
import { decimalOf } from '../../imports/decimal.ts';

export interface ReadFence {
  /** Number in the file, from 1. */
  readonly line: number;
  readonly name: string;
  readonly shape: FenceShape;
  /** Undefined: the file has none. */
  readonly color: string | undefined;
  readonly faults: readonly FenceImportFault[];
  /** The coordinates that can't be read, as written in the file; '' for none. */
  readonly at: string;
}

/** Values for everything that a file doesn't specify. */
export interface FenceDefaults {
  /** Width of lines and radius of points; 0: none. */
  readonly widthMeters: number;
  readonly radiusMeters: number;
  /** Name of the first feature; the others have their number after it. */
  readonly name: string;
}

/** The values of a feature in a file, whatever names the file uses for them. */
export interface FeatureFacts {
  readonly line: number;
  readonly name: string;
  readonly kind?: string | undefined;
  readonly radius?: string | number | undefined;
  readonly width?: string | number | undefined;
  readonly color?: string | undefined;
  readonly faults?: readonly FenceImportFault[];
}

/** Gives the fences of one feature. */
export type FeatureReader = () => ReadFence[];

/** Coordinates that can't be read: their number and their text. */
export interface BadCoordinates {
  readonly type: 'BadCoordinates';
  readonly at: string;
}

/** `number`: number of the position, from 1. */
export function badCoordinates(number: number, text: string): BadCoordinates {
  return { type: 'BadCoordinates', at: `${number} (${text.slice(0, MAX_SHOWN_COORDINATES)})` };
}

const MAX_SHOWN_COORDINATES = 60;

/** A part of a feature; undefined for a geometry that can't be a geofence. */
export type ReadGeometry = FenceShape['geometry'] | BadCoordinates | undefined;

/** Maximum parts read of a feature, since each holds a name. A file with this many geofences is refused as a whole. */
const MAX_PARTS = MAX_IMPORTED_FENCES + 1;

/** Each of several parts is a fence: `Depot`, `Depot 2`. Empty ones are left out where others are not. */
export function fencesOf(facts: FeatureFacts, parts: readonly ReadGeometry[], defaults: FenceDefaults): ReadFence[] {
  const name = lineOfText(facts.name) || defaultName(defaults, facts.line);
  const drawn = parts.slice(0, MAX_PARTS).filter((part) => !isEmpty(part));
  const given = drawn.length === 0 ? [parts[0]] : drawn;
  return given.map((geometry, at) => {
    const numbered = at === 0 ? name : `${name} ${at + 1}`;
    return fenceOf({ ...facts, name: numbered }, geometry, defaults);
  });
}

/** A name from a file may be of any length. Names longer than this are refused. */
const MAX_NAME_READ = 300;

/** The text on one line, and without characters that the database can't hold. */
export function lineOfText(text: string): string {
  return text
    .slice(0, MAX_NAME_READ * 4)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll(/\p{Cs}/gu, '\ufffd')
    .trim()
    .slice(0, MAX_NAME_READ);
}

function defaultName({ name }: FenceDefaults, line: number): string {
  return line === 1 ? name : `${name} ${line}`;
}

function isEmpty(part: ReadGeometry): boolean {
  switch (part?.type) {
    case 'LineString':
      return part.coordinates.length === 0;
    case 'Polygon':
      return (part.coordinates[0] ?? []).length === 0;
    default:
      return false;
  }
}

function fenceOf(facts: FeatureFacts, part: ReadGeometry, defaults: FenceDefaults): ReadFence {
  const { line, name, color } = facts;
  const faults = [...(facts.faults ?? [])];
  if (name.length > MAX_FENCE_NAME) faults.push('name-too-long');
  const at = part?.type === 'BadCoordinates' ? part.at : '';
  const geometry = part?.type === 'BadCoordinates' ? undefined : part;
  if (at !== '') faults.push('bad-coordinates');
  if (geometry === undefined && faults.length === 0) faults.push('fence-other-geometry');
  const [radiusMeters, widthMeters] = [
    sizeOf(facts.radius, defaults.radiusMeters),
    sizeOf(facts.width, defaults.widthMeters),
  ];
  if (geometry?.type === 'Point' && radiusMeters === undefined) faults.push('bad-number');
  if (geometry?.type === 'LineString' && widthMeters === undefined) faults.push('bad-number');
  const shape = shapeOf(geometry ?? NOTHING, facts.kind, {
    radiusMeters: radiusMeters ?? 0,
    widthMeters: widthMeters ?? 0,
  });
  const found = faults.length > 0 ? faults : faultsOfShape(shape);
  // The outline of a refused geofence is useless, and may be of any size.
  const kept = found.length > 0 ? { ...shape, geometry: NOTHING } : shape;
  return { line, name: shown(name), shape: kept, color: colorOf(color), faults: found, at };
}

const NOTHING: FenceShape['geometry'] = { type: 'Polygon', coordinates: [] };

type Sizes = Pick<FenceDefaults, 'widthMeters' | 'radiusMeters'>;

function shapeOf(geometry: FenceShape['geometry'], kind: string | undefined, sizes: Sizes): FenceShape {
  switch (geometry.type) {
    case 'Point':
      return { kind: 'circle', geometry, radiusMeters: sizes.radiusMeters, widthMeters: 0 };
    case 'LineString':
      return { kind: 'corridor', geometry, radiusMeters: 0, widthMeters: sizes.widthMeters };
    case 'Polygon': {
      const isRectangle = kind?.toLowerCase() === 'rectangle';
      return { kind: isRectangle ? 'rectangle' : 'polygon', geometry, radiusMeters: 0, widthMeters: 0 };
    }
  }
}

/** Undefined for a value that isn't a size. */
function sizeOf(given: string | number | undefined, preset: number): number | undefined {
  if (given === undefined || given === '') return preset;
  const size = typeof given === 'number' ? given : decimalOf(given.trim());
  return size !== undefined && Number.isFinite(size) && size >= 0 ? size : undefined;
}

function colorOf(given: string | undefined): string | undefined {
  const color = given?.trim().toLowerCase() ?? '';
  return /^#[0-9a-f]{6}$/.test(color) ? color : undefined;
}

/** Adds the last position, which other programs leave out. */
export function closedRing(ring: readonly LngLat[]): LngLat[] {
  const [first, last] = [ring[0], ring.at(-1)];
  if (first === undefined || last === undefined) return [];
  return first[0] === last[0] && first[1] === last[1] ? [...ring] : [...ring, first];
}

const MAX_SHOWN = 200;

/** A name from a file may be of any length. */
function shown(name: string): string {
  return name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name;
}

// A fence as some file has it: its geometry and what is said of it, whatever the format. Pure.
import {
  type FenceImportFault,
  type FenceShape,
  type LngLat,
  MAX_FENCE_NAME,
} from '../../../../shared/protocol/api/fences/fences.ts';

export interface ReadFence {
  /** In the file, from 1. */
  readonly line: number;
  readonly name: string;
  readonly shape: FenceShape;
  /** Undefined: the file says none. */
  readonly color: string | undefined;
  readonly faults: readonly FenceImportFault[];
}

/** Of lines that say no width and points that say no radius; 0: none. */
export interface DefaultSizes {
  readonly widthMeters: number;
  readonly radiusMeters: number;
}

/** What a file says of a feature, under whatever names. */
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

/** A part of a feature; undefined for a geometry that is no fence. */
export type ReadGeometry = FenceShape['geometry'] | undefined;

/** Of several parts each is a fence: `Depot`, `Depot 2`. */
export function fencesOf(facts: FeatureFacts, parts: readonly ReadGeometry[], sizes: DefaultSizes): ReadFence[] {
  const name = facts.name
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll(/\p{Cs}/gu, '\ufffd')
    .trim();
  const given = parts.length === 0 ? [undefined] : parts;
  return given.map((geometry, at) => {
    const numbered = at === 0 || name === '' ? name : `${name} ${at + 1}`;
    return fenceOf({ ...facts, name: numbered }, geometry, sizes);
  });
}

function fenceOf(facts: FeatureFacts, geometry: ReadGeometry, sizes: DefaultSizes): ReadFence {
  const { line, name, color } = facts;
  const faults = [...(facts.faults ?? [])];
  if (name === '') faults.push('no-name');
  if (name.length > MAX_FENCE_NAME) faults.push('name-too-long');
  if (geometry === undefined && faults.length === 0) faults.push('fence-other-geometry');
  const [radiusMeters, widthMeters] = [
    sizeOf(facts.radius, sizes.radiusMeters),
    sizeOf(facts.width, sizes.widthMeters),
  ];
  if (geometry?.type === 'Point' && radiusMeters === undefined) faults.push('bad-number');
  if (geometry?.type === 'LineString' && widthMeters === undefined) faults.push('bad-number');
  const shape = shapeOf(geometry ?? NOTHING, facts.kind, {
    radiusMeters: radiusMeters ?? 0,
    widthMeters: widthMeters ?? 0,
  });
  return { line, name: shown(name), shape, color: colorOf(color), faults };
}

const NOTHING: FenceShape['geometry'] = { type: 'Polygon', coordinates: [] };

function shapeOf(geometry: FenceShape['geometry'], kind: string | undefined, sizes: DefaultSizes): FenceShape {
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

/** Undefined for what is no size. */
function sizeOf(given: string | number | undefined, preset: number): number | undefined {
  if (given === undefined || given === '') return preset;
  const size = Number(given);
  return Number.isFinite(size) && size >= 0 ? size : undefined;
}

function colorOf(given: string | undefined): string | undefined {
  const color = given?.trim().toLowerCase() ?? '';
  return /^#[0-9a-f]{6}$/.test(color) ? color : undefined;
}

/** Other programs leave the last position out. */
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

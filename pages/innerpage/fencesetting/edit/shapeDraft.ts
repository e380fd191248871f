// The outline of a fence while it is edited, which need not be whole yet. Pure.
import type { FenceShape } from '../../../../shared/protocol/api/fences/fences.ts';
import type { FenceKind } from '../../../../shared/protocol/fences/fenceWords.ts';

/** Longitude and latitude. */
export type Position = readonly [number, number];

export interface ShapeDraft {
  readonly kind: FenceKind;
  /**
   * Circle: its center. Corridor: its line. Polygon: its corners, each once. Rectangle: its corners in the southwest and the
   * northeast. Empty until something is drawn.
   */
  readonly positions: readonly Position[];
  /** Sizes of a circle and of a corridor. Null when nothing is typed, NaN when the typed text isn't a number. */
  readonly radiusMeters: number | null;
  readonly widthMeters: number | null;
}

/** Degrees have as many digits as a centimeter needs. */
const DIGITS = 1e7;
const FIRST_RADIUS_METERS = 500;
const FIRST_WIDTH_METERS = 50;

export function emptyDraft(kind: FenceKind): ShapeDraft {
  return { kind, positions: [], radiusMeters: FIRST_RADIUS_METERS, widthMeters: FIRST_WIDTH_METERS };
}

export function draftOfShape(shape: FenceShape): ShapeDraft {
  const { kind, radiusMeters, widthMeters } = shape;
  return {
    kind,
    positions: positionsOf(shape).map(rounded),
    radiusMeters: radiusMeters || FIRST_RADIUS_METERS,
    widthMeters: widthMeters || FIRST_WIDTH_METERS,
  };
}

function positionsOf({ kind, geometry }: FenceShape): readonly Position[] {
  switch (geometry.type) {
    case 'Point':
      return [geometry.coordinates];
    case 'LineString':
      return geometry.coordinates;
    case 'Polygon': {
      const ring = geometry.coordinates[0] ?? [];
      return kind === 'rectangle' ? cornersAround(ring) : ring.slice(0, -1);
    }
  }
}

/** The southwest and northeast corners around the positions. */
export function cornersAround(positions: readonly Position[]): readonly Position[] {
  if (positions.length === 0) return [];
  const lngs = positions.map(([lng]) => lng);
  const lats = positions.map(([, lat]) => lat);
  return [
    [Math.min(...lngs), Math.min(...lats)],
    [Math.max(...lngs), Math.max(...lats)],
  ];
}

export function rounded([lng, lat]: Position): Position {
  return [Math.round(lng * DIGITS) / DIGITS, Math.round(lat * DIGITS) / DIGITS];
}

/** The shape as the gateway takes it; undefined while nothing is drawn. */
export function shapeOfDraft({ kind, positions, radiusMeters, widthMeters }: ShapeDraft): FenceShape | undefined {
  const [first, second] = positions;
  if (first === undefined) return undefined;
  switch (kind) {
    case 'circle':
      return { kind, geometry: { type: 'Point', coordinates: first }, radiusMeters: radiusMeters || 0, widthMeters: 0 };
    case 'corridor':
      return {
        kind,
        geometry: { type: 'LineString', coordinates: positions },
        radiusMeters: 0,
        widthMeters: widthMeters || 0,
      };
    case 'polygon':
      return { kind, geometry: ringOf(positions), radiusMeters: 0, widthMeters: 0 };
    case 'rectangle':
      return { kind, geometry: ringOf(rectangleBetween(first, second ?? first)), radiusMeters: 0, widthMeters: 0 };
  }
}

function ringOf(corners: readonly Position[]): FenceShape['geometry'] {
  const [first] = corners;
  return { type: 'Polygon', coordinates: [first === undefined ? [] : [...corners, first]] };
}

/** Counterclockwise, as GeoJSON wants it. */
function rectangleBetween([west, south]: Position, [east, north]: Position): readonly Position[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ];
}

/** The minimum number of positions of a complete outline. */
export function fewestPositions(kind: FenceKind): number {
  switch (kind) {
    case 'circle':
      return 1;
    case 'polygon':
      return 3;
    case 'rectangle':
    case 'corridor':
      return 2;
  }
}

export function hasVertices(kind: FenceKind): boolean {
  return kind === 'polygon' || kind === 'corridor';
}

export function withVertexMoved(draft: ShapeDraft, at: number, position: Position): ShapeDraft {
  return { ...draft, positions: draft.positions.with(at, rounded(position)) };
}

/** Adds a vertex halfway to the next one; after the last one of a corridor, at the distance of the one before. */
export function withVertexAfter(draft: ShapeDraft, at: number): ShapeDraft {
  const { positions, kind } = draft;
  const here = positions[at];
  if (here === undefined) return draft;
  const isOpenEnd = kind === 'corridor' && at === positions.length - 1;
  const next = isOpenEnd ? beyond(positions[at - 1] ?? here, here) : (positions[(at + 1) % positions.length] ?? here);
  const added: Position = isOpenEnd ? next : [(here[0] + next[0]) / 2, (here[1] + next[1]) / 2];
  return { ...draft, positions: positions.toSpliced(at + 1, 0, rounded(added)) };
}

function beyond(before: Position, last: Position): Position {
  return [last[0] * 2 - before[0], last[1] * 2 - before[1]];
}

/** Deletes a vertex; returns the same draft where too few would be left. */
export function withoutVertex(draft: ShapeDraft, at: number): ShapeDraft {
  if (draft.positions.length <= fewestPositions(draft.kind)) return draft;
  return { ...draft, positions: draft.positions.toSpliced(at, 1) };
}

export interface Bounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Share of the map's sides. */
const SHARE = 0.25;
const METERS_A_DEGREE = 111_195;

/** A first outline in the middle of the map, for users who don't draw with a pointer. */
export function placedIn(draft: ShapeDraft, { west, south, east, north }: Bounds): ShapeDraft {
  const center: Position = [(west + east) / 2, (south + north) / 2];
  const [across, down] = [(east - west) * SHARE, (north - south) * SHARE];
  const corners = [rounded([center[0] - across, center[1] - down]), rounded([center[0] + across, center[1] + down])];
  const [first, second] = corners as [Position, Position];
  switch (draft.kind) {
    case 'circle': {
      const radiusMeters = Math.max(10, Math.round(down * METERS_A_DEGREE));
      return { ...draft, positions: [rounded(center)], radiusMeters };
    }
    case 'polygon':
      return { ...draft, positions: rectangleBetween(first, second) };
    case 'rectangle':
      return { ...draft, positions: corners };
    case 'corridor':
      return { ...draft, positions: [rounded([first[0], center[1]]), rounded([second[0], center[1]])] };
  }
}

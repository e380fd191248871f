// Outlines between the form and the drawing tool, which knows polygons and lines alone. Pure.
import { outlineOf } from '../../../../shared/protocol/fences/outline.ts';
import { cornersAround, type Position, rounded, type ShapeDraft, shapeOfDraft } from '../edit/shapeDraft.ts';

export type SketchGeometry =
  | { readonly type: 'Polygon'; readonly coordinates: readonly (readonly (readonly number[])[])[] }
  | { readonly type: 'LineString'; readonly coordinates: readonly (readonly number[])[] };

const METERS_A_DEGREE = 111_195.08;

/** What the tool draws with: its name for the kind. */
export const SKETCH_MODES = {
  polygon: 'polygon',
  circle: 'circle',
  rectangle: 'rectangle',
  corridor: 'linestring',
} as const;

/** Undefined while there is too little to show. */
export function sketchOf(draft: ShapeDraft): SketchGeometry | undefined {
  const shape = shapeOfDraft(draft);
  if (shape === undefined) return undefined;
  if (draft.kind === 'corridor')
    return draft.positions.length < 2 ? undefined : { type: 'LineString', coordinates: draft.positions };
  const ring = outlineOf(shape).map(rounded);
  return ring.length < 4 ? undefined : { type: 'Polygon', coordinates: [ring] };
}

/** `like`: what the drawing says nothing of, such as a corridor's width. */
export function draftOfSketch(geometry: SketchGeometry, like: ShapeDraft): ShapeDraft {
  if (geometry.type === 'LineString') return { ...like, positions: geometry.coordinates.map(positionOf) };
  const ring = (geometry.coordinates[0] ?? []).map(positionOf);
  switch (like.kind) {
    case 'circle':
      return { ...like, ...circleOf(ring) };
    case 'rectangle':
      return { ...like, positions: cornersAround(ring) };
    case 'polygon':
    case 'corridor':
      return { ...like, positions: ring.slice(0, -1) };
  }
}

function positionOf([lng = 0, lat = 0]: readonly number[]): Position {
  return rounded([lng, lat]);
}

/** On a sphere a circle's northernmost and southernmost points are equally far from its center. */
function circleOf(ring: readonly Position[]): Pick<ShapeDraft, 'positions' | 'radiusMeters'> {
  const [southwest, northeast] = cornersAround(ring);
  if (southwest === undefined || northeast === undefined) return { positions: [], radiusMeters: 0 };
  const center = rounded([(southwest[0] + northeast[0]) / 2, (southwest[1] + northeast[1]) / 2]);
  const radiusMeters = ((northeast[1] - southwest[1]) / 2) * METERS_A_DEGREE;
  return { positions: [center], radiusMeters: Math.round(radiusMeters * 10) / 10 };
}

// Draws what the drawing tool holds: the outline, and the handles that it is changed by.
import type { GeoJSONStoreFeatures } from 'terra-draw';
import type { MapView } from '../../../../shared/ui/map/deviceLayer.ts';
import { windowOf } from '../../../../shared/ui/map/fences/fencePaths.ts';
import type { MapScheme } from '../../../../shared/ui/map/mapScheme.ts';
import { toWorld } from '../../../../shared/ui/map/mercator.ts';

export interface SketchStyle {
  readonly scheme: Pick<MapScheme, 'halo'>;
  readonly color: string;
}

/** A circle has many corners, few of which are worth a handle. */
const CIRCLE_HANDLE_STEP = 8;

const HANDLES = { vertex: { radius: 6, fill: '#ffffff' }, between: { radius: 4, fill: '#ffffff' } } as const;

interface Pixel {
  readonly left: number;
  readonly top: number;
}

export function drawSketch(
  context: CanvasRenderingContext2D,
  features: readonly GeoJSONStoreFeatures[],
  view: MapView,
  style: SketchStyle,
): void {
  const place = windowOf(view);
  const pixel = ([lng = 0, lat = 0]: readonly number[]): Pixel => place(toWorld(lat, lng));
  const isCircle = features.some(({ properties }) => properties.mode === 'circle');
  context.save();
  for (const { geometry } of features) {
    if (geometry.type === 'Polygon') drawLine(context, (geometry.coordinates[0] ?? []).map(pixel), true, style);
    else if (geometry.type === 'LineString') drawLine(context, geometry.coordinates.map(pixel), false, style);
  }
  for (const { geometry, properties } of features) {
    if (geometry.type !== 'Point') continue;
    const isBetween = properties.midPoint === true;
    const isCorner = properties.selectionPoint === true && isCircle;
    if (isCorner && Number(properties.index) % CIRCLE_HANDLE_STEP !== 0) continue;
    drawHandle(context, pixel(geometry.coordinates), isBetween ? HANDLES.between : HANDLES.vertex, style);
  }
  context.restore();
}

function drawLine(
  context: CanvasRenderingContext2D,
  points: readonly Pixel[],
  isClosed: boolean,
  { scheme, color }: SketchStyle,
): void {
  context.beginPath();
  for (const { left, top } of points) context.lineTo(left, top);
  if (isClosed) {
    context.closePath();
    context.fillStyle = `${color}40`;
    context.fill();
  }
  context.lineJoin = 'round';
  context.lineWidth = 5;
  context.strokeStyle = scheme.halo;
  context.stroke();
  context.lineWidth = 2.5;
  context.strokeStyle = color;
  context.stroke();
}

function drawHandle(
  context: CanvasRenderingContext2D,
  { left, top }: Pixel,
  { radius, fill }: { readonly radius: number; readonly fill: string },
  { color }: SketchStyle,
): void {
  context.beginPath();
  context.arc(left, top, radius, 0, 2 * Math.PI);
  context.fillStyle = fill;
  context.fill();
  context.lineWidth = 2;
  context.strokeStyle = color;
  context.stroke();
}

// Draws fences on a map's canvas, below what moves: outlines in their colors, and names where there is room.
import type { ShownFence } from '../../../protocol/api/fences/fences.ts';
import type { MapScheme } from '../mapScheme.ts';
import type { MapView } from '../mapView.ts';
import { toWorld } from '../mercator.ts';
import {
  boxOf,
  type FencePath,
  isInWindow,
  overlap,
  pathOf,
  type WindowBox,
  type WindowPoint,
  windowOf,
} from './fencePaths.ts';

export interface DrawFencesOptions {
  readonly scheme: Pick<MapScheme, 'text' | 'halo'>;
  readonly selectedId?: number | undefined;
  /** The fence under the pointer, or whose row in a list is. */
  readonly pointedId?: number | undefined;
  readonly font?: string | undefined;
}

/** A fence smaller than this is a dot. */
const DOT_PIXELS = 3;
const MAX_NAMES = 80;
const NAME_PIXELS = 12;
const MAX_NAME_PIXELS = 180;
/** A name may be a little wider than its fence, not much. */
const NAME_OVERHANG = 1.6;
/** Corners closer than this are one to the eye. */
const MIN_STEP_PIXELS = 0.7;

interface PlacedFence {
  readonly fence: ShownFence;
  readonly path: FencePath;
  readonly box: WindowBox;
}

export function drawFences(
  context: CanvasRenderingContext2D,
  fences: readonly ShownFence[],
  view: MapView,
  options: DrawFencesOptions,
): void {
  drawFenceShapes(context, fences, view, options);
  drawFenceNames(context, fences, view, options);
}

/** Draws fences without their names, for a map that draws something between the two. */
export function drawFenceShapes(
  context: CanvasRenderingContext2D,
  fences: readonly ShownFence[],
  view: MapView,
  options: DrawFencesOptions,
): void {
  context.save();
  for (const each of placedFences(fences, view, options)) drawFence(context, each, view, options);
  context.restore();
}

export function drawFenceNames(
  context: CanvasRenderingContext2D,
  fences: readonly ShownFence[],
  view: MapView,
  options: DrawFencesOptions,
): void {
  context.save();
  drawNames(context, placedFences(fences, view, options).reverse(), view, options);
  context.restore();
}

/** The fences in the window, from the lowest to the topmost: the selected one is on top, below it the one pointed at. */
function placedFences(fences: readonly ShownFence[], view: MapView, options: DrawFencesOptions): PlacedFence[] {
  return fences
    .map((fence) => ({ fence, path: pathOf(fence), box: boxOf(pathOf(fence), view) }))
    .filter(({ box }) => isInWindow(box, view))
    .sort((one, other) => weightOf(one, options) - weightOf(other, options));
}

function weightOf({ fence: { id } }: PlacedFence, { selectedId, pointedId }: DrawFencesOptions): number {
  if (id === selectedId) return 2;
  return id === pointedId ? 1 : 0;
}

function drawFence(
  context: CanvasRenderingContext2D,
  placed: PlacedFence,
  view: MapView,
  options: DrawFencesOptions,
): void {
  const { fence, box } = placed;
  if (Math.max(box.right - box.left, box.bottom - box.top) < DOT_PIXELS) {
    context.fillStyle = fence.color;
    context.fillRect(box.left - 1, box.top - 1, DOT_PIXELS, DOT_PIXELS);
    return;
  }
  const weight = weightOf(placed, options);
  trace(context, placed.path, view);
  context.lineJoin = 'round';
  context.fillStyle = `${fence.color}${weight === 0 ? '26' : '40'}`;
  context.fill();
  // A halo keeps any color readable on any ground.
  context.strokeStyle = options.scheme.halo;
  context.lineWidth = weight === 0 ? 3.5 : 6;
  context.stroke();
  context.strokeStyle = fence.color;
  context.lineWidth = weight === 0 ? 2 : 3.5;
  context.stroke();
}

function trace(context: CanvasRenderingContext2D, { points }: FencePath, view: MapView): void {
  const place = windowOf(view);
  let last = { left: Infinity, top: Infinity };
  context.beginPath();
  for (const point of points) {
    const at = place(point);
    if (Math.abs(at.left - last.left) + Math.abs(at.top - last.top) < MIN_STEP_PIXELS) continue;
    context.lineTo(at.left, at.top);
    last = at;
  }
  context.closePath();
}

function drawNames(
  context: CanvasRenderingContext2D,
  placed: readonly PlacedFence[],
  view: MapView,
  options: DrawFencesOptions,
): void {
  const { scheme, font = 'sans-serif' } = options;
  context.font = `600 ${NAME_PIXELS}px ${font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = 3;
  const taken: WindowBox[] = [];
  for (const each of placed) {
    if (taken.length >= MAX_NAMES) return;
    const width = Math.min(MAX_NAME_PIXELS, context.measureText(each.fence.name).width);
    const isLookedAt = weightOf(each, options) > 0;
    const room = nameBox(visiblePart(each.box, view), { width, isLookedAt, at: nameBeside(each, view) });
    if (room === undefined || taken.some((other) => overlap(room, other))) continue;
    taken.push(room);
    const [left, top] = [(room.left + room.right) / 2, (room.top + room.bottom) / 2];
    context.strokeStyle = scheme.halo;
    context.strokeText(each.fence.name, left, top, MAX_NAME_PIXELS);
    context.fillStyle = scheme.text;
    context.fillText(each.fence.name, left, top, MAX_NAME_PIXELS);
  }
}

interface WantedName {
  readonly width: number;
  readonly isLookedAt: boolean;
  /** Undefined: in the middle of what is seen of the fence. */
  readonly at: WindowPoint | undefined;
}

/** The middle of a corridor's box is seldom on its line, so the name stands at its middle vertex. */
function nameBeside({ fence: { geometry } }: PlacedFence, view: MapView): WindowPoint | undefined {
  if (geometry.type !== 'LineString') return undefined;
  const { coordinates } = geometry;
  const vertex = coordinates[Math.floor(coordinates.length / 2)];
  if (vertex === undefined) return undefined;
  const at = windowOf(view)(toWorld(vertex[1], vertex[0]));
  const isSeen = at.left >= 0 && at.left <= view.width && at.top >= 0 && at.top <= view.height;
  return isSeen ? at : undefined;
}

/** Where a name of this width goes; undefined where the fence has no room for it. */
function nameBox(part: WindowBox, { width, isLookedAt, at }: WantedName): WindowBox | undefined {
  const room = (part.right - part.left) * NAME_OVERHANG;
  if (!isLookedAt && (width > room || part.bottom - part.top < NAME_PIXELS)) return undefined;
  const { left, top } = at ?? { left: (part.left + part.right) / 2, top: (part.top + part.bottom) / 2 };
  return { left: left - width / 2, right: left + width / 2, top: top - NAME_PIXELS / 2, bottom: top + NAME_PIXELS / 2 };
}

function visiblePart({ left, top, right, bottom }: WindowBox, { width, height }: MapView): WindowBox {
  return {
    left: Math.max(0, left),
    top: Math.max(0, top),
    right: Math.min(width, right),
    bottom: Math.min(height, bottom),
  };
}

// A place on the map and the way that leads past it, drawn on the map's canvas.
import type { ShownFence } from '../../protocol/api/fences/fences.ts';
import type { MapView } from './deviceLayer.ts';
import { drawFences } from './fences/drawFences.ts';
import type { MapScheme } from './mapScheme.ts';
import { toWorld, type WorldPoint, worldSize } from './mercator.ts';

export interface MapPlace {
  readonly lat: number;
  readonly lng: number;
}

export interface TrackContent {
  /** In the order in which they were passed. */
  readonly track: readonly MapPlace[];
  /** What the map is about. */
  readonly place: MapPlace | undefined;
  /** Color of the place's mark. */
  readonly colour: string;
}

const MAX_PIXEL_RATIO = 2;
const MARK_RADIUS = 8;

interface WindowPoint {
  readonly left: number;
  readonly top: number;
}

export class TrackLayer {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D | null;
  #track: readonly WorldPoint[] = [];
  #place: WorldPoint | undefined;
  #colour = '';
  #fences: readonly ShownFence[] = [];
  #scheme: MapScheme;

  constructor(canvas: HTMLCanvasElement, scheme: MapScheme) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d');
    this.#scheme = scheme;
  }

  setContent({ track, place, colour }: TrackContent): void {
    this.#track = track.map(({ lat, lng }) => toWorld(lat, lng));
    this.#place = place && toWorld(place.lat, place.lng);
    this.#colour = colour;
  }

  setFences(fences: readonly ShownFence[]): void {
    this.#fences = fences;
  }

  setScheme(scheme: MapScheme): void {
    this.#scheme = scheme;
  }

  draw(view: MapView): void {
    const context = this.#context;
    if (context === null) return;
    this.#begin(context, view);
    drawFences(context, this.#fences, view, { scheme: this.#scheme });
    const line = this.#track.map((point) => inWindow(point, view));
    drawLine(context, line, { colour: this.#scheme.halo, width: 7 });
    drawLine(context, line, { colour: this.#scheme.ring, width: 3.5 });
    const [start] = line;
    const end = line.at(-1);
    if (start !== undefined) drawDot(context, start, { radius: 4, fill: this.#scheme.halo, edge: this.#scheme.ring });
    if (end !== undefined && line.length > 1)
      drawDot(context, end, { radius: 4, fill: this.#scheme.ring, edge: this.#scheme.halo });
    if (this.#place === undefined) return;
    const at = inWindow(this.#place, view);
    drawDot(context, at, { radius: MARK_RADIUS, fill: this.#colour, edge: '#ffffff' });
  }

  #begin(context: CanvasRenderingContext2D, { width, height }: MapView): void {
    const ratio = Math.min(MAX_PIXEL_RATIO, window.devicePixelRatio);
    this.#canvas.width = Math.round(width * ratio);
    this.#canvas.height = Math.round(height * ratio);
    this.#canvas.style.width = `${width}px`;
    this.#canvas.style.height = `${height}px`;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }
}

function inWindow({ x, y }: WorldPoint, { lat, lng, zoom, width, height }: MapView): WindowPoint {
  const size = worldSize(zoom);
  const centre = toWorld(lat, lng);
  return { left: (x - centre.x) * size + width / 2, top: (y - centre.y) * size + height / 2 };
}

function drawLine(
  context: CanvasRenderingContext2D,
  points: readonly WindowPoint[],
  { colour, width }: { readonly colour: string; readonly width: number },
): void {
  context.beginPath();
  for (const { left, top } of points) context.lineTo(left, top);
  context.lineJoin = 'round';
  context.lineCap = 'round';
  context.lineWidth = width;
  context.strokeStyle = colour;
  context.stroke();
}

function drawDot(
  context: CanvasRenderingContext2D,
  { left, top }: WindowPoint,
  { radius, fill, edge }: { readonly radius: number; readonly fill: string; readonly edge: string },
): void {
  context.beginPath();
  context.arc(left, top, radius, 0, 2 * Math.PI);
  context.fillStyle = fill;
  context.fill();
  context.lineWidth = 2.5;
  context.strokeStyle = edge;
  context.stroke();
}

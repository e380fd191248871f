// Two canvases over the map: one with all that stands still, drawn when the view or the content changes, and one with the
// vehicles, drawn for every picture while a clock runs.
import type { ShownFence } from '../../../protocol/api/fences/fences.ts';
import { drawFenceNames, drawFenceShapes } from '../fences/drawFences.ts';
import type { MapView } from '../mapView.ts';
import { toWorld } from '../mercator.ts';
import { drawCaptions } from './drawCaptions.ts';
import {
  drawPin,
  drawRuns,
  drawStop,
  drawVehicle,
  PIN_PIXELS,
  STOP_RADIUS,
  type TrackStyle,
  type VehicleLook,
} from './drawTracks.ts';
import { MapWindow, type WindowPoint } from './mapWindow.ts';
import type { TrackPath } from './trackPath.ts';
import { trackRuns } from './trackRuns.ts';

export interface DrawnTrack {
  readonly path: TrackPath;
  /** Undefined: by speed. */
  readonly color: string | undefined;
}

/** Something on the map that can be chosen. */
export interface MapMark {
  readonly kind: 'stop' | 'event';
  readonly id: number;
}

export interface DrawnMark extends MapMark {
  readonly lat: number;
  readonly lng: number;
  /** On a stop: its number, and beside it, where there is room, its times. */
  readonly label: string;
  readonly caption: string;
  /** Color of an event. */
  readonly color: string;
  readonly hasPictures: boolean;
}

export interface TracksContent {
  /** Under all else. */
  readonly fences: readonly ShownFence[];
  /** The last one on top. */
  readonly tracks: readonly DrawnTrack[];
  readonly marks: readonly DrawnMark[];
}

export interface DrawnVehicle extends VehicleLook {
  readonly lat: number;
  readonly lng: number;
}

interface PlacedMark extends WindowPoint {
  readonly mark: DrawnMark;
}

const MAX_PIXEL_RATIO = 2;
const NO_CONTENT: TracksContent = { fences: [], tracks: [], marks: [] };

export class TracksLayer {
  readonly #still: HTMLCanvasElement;
  readonly #moving: HTMLCanvasElement;
  #content = NO_CONTENT;
  #vehicles: readonly DrawnVehicle[] = [];
  #placed: readonly PlacedMark[] = [];
  #window: MapWindow | undefined;
  #style: TrackStyle;

  constructor(canvases: { readonly still: HTMLCanvasElement; readonly moving: HTMLCanvasElement }, style: TrackStyle) {
    this.#still = canvases.still;
    this.#moving = canvases.moving;
    this.#style = style;
  }

  setContent(content: TracksContent): void {
    this.#content = content;
  }

  setStyle(style: TrackStyle): void {
    this.#style = style;
  }

  setVehicles(vehicles: readonly DrawnVehicle[]): void {
    this.#vehicles = vehicles;
    this.drawVehicles();
  }

  draw(view: MapView): void {
    const window = new MapWindow(view);
    this.#window = window;
    const context = begin(this.#still, window);
    if (context === null) return;
    const style = this.#style;
    const { fences, tracks, marks } = this.#content;
    drawFenceShapes(context, fences, view, style);
    for (const { path, color } of tracks) drawRuns(context, trackRuns(path, window), { style, color });
    // Above the lines, which would cover them where a drive is seen whole.
    drawFenceNames(context, fences, view, style);
    this.#placed = apart(
      marks.map((mark) => ({ ...window.at(toWorld(mark.lat, mark.lng)), mark })).filter((point) => window.has(point)),
    );
    for (const { mark, ...at } of this.#placed) this.#drawMark(context, at, mark);
    drawCaptions(
      context,
      this.#placed.map(({ left, top, mark }) => ({ left, top, text: mark.caption })),
      style,
    );
    this.drawVehicles();
  }

  drawVehicles(): void {
    const window = this.#window;
    if (window === undefined) return;
    const context = begin(this.#moving, window);
    if (context === null) return;
    for (const look of this.#vehicles) {
      const at = window.at(toWorld(look.lat, look.lng));
      if (window.has(at)) drawVehicle(context, at, { look, style: this.#style });
    }
  }

  /** The topmost mark at a point of the window. */
  markAt(left: number, top: number): MapMark | undefined {
    return this.#placed.findLast((each) => {
      if (each.mark.kind === 'stop') return Math.hypot(each.left - left, each.top - top) <= STOP_RADIUS + 4;
      return Math.abs(each.left - left) <= PIN_PIXELS / 2 && top >= each.top - PIN_PIXELS - 2 && top <= each.top + 4;
    })?.mark;
  }

  #drawMark(context: CanvasRenderingContext2D, at: WindowPoint, mark: DrawnMark): void {
    const { halo } = this.#style.scheme;
    if (mark.kind === 'stop') drawStop(context, at, { label: mark.label, style: this.#style });
    else drawPin(context, at, { color: mark.color, hasPictures: mark.hasPictures, halo });
  }
}

/** The pin of an event during a stop stands on the stop's disc and leaves its number to be read. */
function apart(placed: readonly PlacedMark[]): readonly PlacedMark[] {
  const cellOf = ({ left, top }: WindowPoint) => `${Math.round(left / STOP_RADIUS)} ${Math.round(top / STOP_RADIUS)}`;
  const stops = new Set(placed.filter(({ mark }) => mark.kind === 'stop').map(cellOf));
  return placed.map((each) => {
    return each.mark.kind === 'event' && stops.has(cellOf(each)) ? { ...each, top: each.top - STOP_RADIUS } : each;
  });
}

/** The canvas as large as the window, and empty. */
function begin(canvas: HTMLCanvasElement, { width, height }: MapWindow): CanvasRenderingContext2D | null {
  const context = canvas.getContext('2d');
  if (context === null) return null;
  const ratio = Math.min(MAX_PIXEL_RATIO, window.devicePixelRatio);
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== across) canvas.width = across;
  if (canvas.height !== down) canvas.height = down;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

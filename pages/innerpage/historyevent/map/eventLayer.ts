// The events on the map's canvas.
import type { EventRow } from '../../../../shared/protocol/api/events.ts';
import type { ShownFence } from '../../../../shared/protocol/api/fences/fences.ts';
import type { MapView } from '../../../../shared/ui/map/deviceLayer.ts';
import { drawFences } from '../../../../shared/ui/map/fences/drawFences.ts';
import { toWorld, worldSize } from '../../../../shared/ui/map/mercator.ts';
import { drawEventMark, type EventMapStyle, type PlacedEventMark, reachOf } from './drawEvents.ts';
import { type EventMark, eventMarks, type PlacedEvent, placeEvents } from './eventMarks.ts';

const MARGIN_PIXELS = 40;
const MAX_PIXEL_RATIO = 2;

export class EventLayer {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D | null;
  #style: EventMapStyle;
  #events: readonly PlacedEvent[] = [];
  #fences: readonly ShownFence[] = [];
  #selectedId: number | undefined;
  #marks: readonly EventMark[] = [];
  #marksZoom = Number.NaN;
  #shown: readonly PlacedEventMark[] = [];

  constructor(canvas: HTMLCanvasElement, style: EventMapStyle) {
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d');
    this.#style = style;
  }

  setEvents(events: readonly EventRow[], selectedId: number | undefined): void {
    this.#events = placeEvents(events);
    this.#selectedId = selectedId;
    this.#marksZoom = Number.NaN;
  }

  setFences(fences: readonly ShownFence[]): void {
    this.#fences = fences;
  }

  setStyle(style: EventMapStyle): void {
    this.#style = style;
  }

  draw(view: MapView): void {
    const context = this.#context;
    if (context === null) return;
    this.#begin(context, view);
    drawFences(context, this.#fences, view, this.#style);
    this.#shown = this.#inWindow(view);
    for (const placed of this.#shown) {
      const isSelected = placed.mark.points.some(({ event }) => event.id === this.#selectedId);
      drawEventMark(context, placed, { ...this.#style, isSelected });
    }
  }

  /** The mark at a point of the window, the topmost first. */
  markAt(left: number, top: number): EventMark | undefined {
    return this.#shown.findLast((placed) => Math.hypot(placed.left - left, placed.top - top) <= reachOf(placed.mark))
      ?.mark;
  }

  #begin(context: CanvasRenderingContext2D, { width, height }: MapView): void {
    const ratio = Math.min(MAX_PIXEL_RATIO, window.devicePixelRatio);
    this.#canvas.width = Math.round(width * ratio);
    this.#canvas.height = Math.round(height * ratio);
    this.#canvas.style.width = `${width}px`;
    this.#canvas.style.height = `${height}px`;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  #inWindow(view: MapView): readonly PlacedEventMark[] {
    const zoom = Math.floor(view.zoom + 0.5);
    if (zoom !== this.#marksZoom) {
      this.#marks = eventMarks(this.#events, zoom, this.#selectedId);
      this.#marksZoom = zoom;
    }
    const size = worldSize(view.zoom);
    const centre = toWorld(view.lat, view.lng);
    return this.#marks
      .map((mark) => ({
        mark,
        left: (mark.x - centre.x) * size + view.width / 2,
        top: (mark.y - centre.y) * size + view.height / 2,
      }))
      .filter(
        ({ left, top }) =>
          left > -MARGIN_PIXELS &&
          left < view.width + MARGIN_PIXELS &&
          top > -MARGIN_PIXELS &&
          top < view.height + MARGIN_PIXELS,
      );
  }
}

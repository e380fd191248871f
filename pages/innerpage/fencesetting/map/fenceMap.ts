// The map of the fence page: all fences, one of which can be looked at or edited; loaded when it is first shown.
import type { MapMouseEvent } from 'maplibre-gl';
import type { FenceShape, ShownFence } from '../../../../shared/protocol/api/fences/fences.ts';
import { boundsOfShape } from '../../../../shared/protocol/fences/outline.ts';
import { BaseMap, type BaseMapOptions } from '../../../../shared/ui/map/baseMap.ts';
import type { MapView } from '../../../../shared/ui/map/deviceLayer.ts';
import { drawFences } from '../../../../shared/ui/map/fences/drawFences.ts';
import { fenceAt, windowOf } from '../../../../shared/ui/map/fences/fencePaths.ts';
import type { MapScheme } from '../../../../shared/ui/map/mapScheme.ts';
import { toWorld } from '../../../../shared/ui/map/mercator.ts';
import type { Bounds, ShapeDraft } from '../edit/shapeDraft.ts';
import { shapeOfDraft } from '../edit/shapeDraft.ts';
import type { FenceDrawing, FenceDrawingOptions } from './fenceDrawing.ts';

export interface FenceMapOptions extends BaseMapOptions {
  readonly onSelect: (fence: number | undefined) => void;
  /** Called with the geofence under the pointer; undefined over none. */
  readonly onPoint: (fence: number | undefined) => void;
}

export interface MapPoint {
  readonly lat: number;
  readonly lng: number;
}

export interface FenceMapContent {
  readonly fences: readonly ShownFence[];
  readonly selectedId: number | undefined;
  readonly pointedId: number | undefined;
}

/** The outline that is being edited. */
export interface MapSketch {
  /** The geofence whose stored outline is not drawn. */
  readonly fence: number | undefined;
  readonly draft: ShapeDraft;
  /** The places where events would have been. */
  readonly events: readonly MapPoint[];
  readonly color: string;
}

const FIT = { padding: 48, maxZoom: 16, duration: 400 } as const;
const EVENT_RADIUS = 5;
const EVENT_COLOR = '#b3261e';
const MAX_PIXEL_RATIO = 2;

export class FenceMap {
  readonly #base: BaseMap;
  readonly #options: FenceMapOptions;
  #scheme: MapScheme;
  #content: FenceMapContent = { fences: [], selectedId: undefined, pointedId: undefined };
  #sketch: MapSketch | undefined;
  #drawing: FenceDrawing | undefined;
  #isFitted = false;
  #view: MapView | undefined;

  /** Throws where the browser draws no maps (WebGL). */
  constructor(options: FenceMapOptions) {
    this.#options = options;
    this.#scheme = options.scheme;
    this.#base = new BaseMap(options, (view) => this.#draw(view));
    const { map } = this.#base;
    map.on('click', (event) => this.#click(event));
    map.on('mousemove', (event) => this.#point(event));
    map.on('mouseout', () => options.onPoint(undefined));
  }

  show(content: FenceMapContent): void {
    this.#content = content;
    if (!this.#isFitted && content.fences.length > 0) this.#isFitted = this.fit(0);
    this.#base.redraw();
  }

  /** Undefined: nothing is edited. */
  sketch(sketch: MapSketch | undefined): void {
    this.#sketch = sketch;
    if (sketch !== undefined) this.#drawing?.show(sketch.draft);
    this.#base.redraw();
  }

  /** Lets the reader draw, until the result is called. */
  startDrawing(create: (options: Pick<FenceDrawingOptions, 'map' | 'onRedraw'>) => FenceDrawing): () => void {
    const drawing = create({ map: this.#base.map, onRedraw: () => this.#base.redraw() });
    this.#drawing = drawing;
    if (this.#sketch !== undefined) drawing.show(this.#sketch.draft);
    return () => {
      drawing.close();
      this.#drawing = undefined;
      this.#base.redraw();
    };
  }

  /** Fits the view to all shown geofences. Returns whether there was any. */
  fit(duration: number = FIT.duration): boolean {
    return this.#lookAt(this.#content.fences, duration);
  }

  lookAt(shape: FenceShape): void {
    this.#isFitted = true;
    this.#lookAt([shape], FIT.duration);
  }

  get bounds(): Bounds {
    const bounds = this.#base.map.getBounds();
    return { west: bounds.getWest(), south: bounds.getSouth(), east: bounds.getEast(), north: bounds.getNorth() };
  }

  setScheme(scheme: MapScheme): void {
    this.#scheme = scheme;
    this.#base.setScheme(scheme);
  }

  /** Safe to call twice. */
  close(): void {
    this.#base.close();
  }

  #lookAt(shapes: readonly FenceShape[], duration: number): boolean {
    const { map } = this.#base;
    // A map out of sight has no size to fit anything into.
    if (shapes.length === 0 || map.getContainer().clientWidth === 0) return false;
    const all = shapes.map(boundsOfShape);
    const west = Math.min(...all.map((each) => each.west));
    const south = Math.min(...all.map((each) => each.south));
    const east = Math.max(...all.map((each) => each.east));
    const north = Math.max(...all.map((each) => each.north));
    map.fitBounds([west, south, east, north], { ...FIT, duration });
    return true;
  }

  #click({ point }: MapMouseEvent): void {
    if (this.#sketch === undefined) this.#options.onSelect(this.#fenceAt(point)?.id);
  }

  #point({ point }: MapMouseEvent): void {
    if (this.#sketch !== undefined) return;
    const fence = this.#fenceAt(point);
    this.#base.map.getCanvas().style.cursor = fence === undefined ? '' : 'pointer';
    this.#options.onPoint(fence?.id);
  }

  #fenceAt({ x, y }: { readonly x: number; readonly y: number }): ShownFence | undefined {
    return this.#view && fenceAt(this.#content.fences, this.#view, { left: x, top: y });
  }

  #draw(view: MapView): void {
    this.#view = view;
    const { canvas } = this.#base;
    const context = canvas.getContext('2d');
    if (context === null) return;
    const ratio = Math.min(MAX_PIXEL_RATIO, window.devicePixelRatio);
    canvas.width = Math.round(view.width * ratio);
    canvas.height = Math.round(view.height * ratio);
    canvas.style.width = `${view.width}px`;
    canvas.style.height = `${view.height}px`;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { fences, selectedId, pointedId } = this.#content;
    const scheme = this.#scheme;
    const others = fences.filter(({ id }) => id !== this.#sketch?.fence);
    drawFences(context, others, view, { scheme, selectedId, pointedId, font: this.#options.font });
    this.#drawSketch(context, view);
  }

  #drawSketch(context: CanvasRenderingContext2D, view: MapView): void {
    if (this.#sketch === undefined) return;
    const { color, events } = this.#sketch;
    const draft = this.#drawing?.shown ?? this.#sketch.draft;
    const scheme = this.#scheme;
    const shape = shapeOfDraft(draft);
    // The tool draws a corridor's line alone.
    if (shape !== undefined && (draft.kind === 'corridor' || this.#drawing === undefined))
      drawFences(context, [{ id: 0, name: '', color, ...shape }], view, { scheme });
    this.#drawing?.draw(context, view, { scheme, color });
    for (const event of events) drawEvent(context, event, view);
  }
}

function drawEvent(context: CanvasRenderingContext2D, { lat, lng }: MapPoint, view: MapView): void {
  const { left, top } = windowOf(view)(toWorld(lat, lng));
  context.beginPath();
  context.arc(left, top, EVENT_RADIUS, 0, 2 * Math.PI);
  context.fillStyle = EVENT_COLOR;
  context.fill();
  context.lineWidth = 2;
  context.strokeStyle = '#ffffff';
  context.stroke();
}

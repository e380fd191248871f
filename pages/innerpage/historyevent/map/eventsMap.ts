// Past events on a map, one of which can be chosen; loaded when it is first shown.
import type { MapMouseEvent } from 'maplibre-gl';
import type { EventRow } from '../../../../shared/protocol/api/events.ts';
import type { ShownFence } from '../../../../shared/protocol/api/fences/fences.ts';
import { DARK_SEVERITIES, LIGHT_SEVERITIES } from '../../../../shared/ui/events/severityColors.ts';
import { BaseMap, type BaseMapOptions, MAX_ZOOM } from '../../../../shared/ui/map/baseMap.ts';
import { DARK_MAP, type MapScheme } from '../../../../shared/ui/map/mapScheme.ts';
import type { EventMapStyle } from './drawEvents.ts';
import { EventLayer } from './eventLayer.ts';
import { boundsOfEvents, type EventMark } from './eventMarks.ts';

export interface EventsMapOptions extends BaseMapOptions {
  readonly onSelect: (eventId: number | undefined) => void;
  /** Several events that no zoom sets apart. */
  readonly onTogether: (events: readonly EventRow[]) => void;
}

export interface EventsMapContent {
  readonly events: readonly EventRow[];
  readonly selectedId: number | undefined;
}

const FIT = { padding: 48, maxZoom: 15, duration: 0 } as const;
const OPEN_MS = 400;
/** Degrees: what lies closer is one spot. */
const ONE_SPOT = 0.000_2;

export class EventsMap {
  readonly #base: BaseMap;
  readonly #layer: EventLayer;
  readonly #options: EventsMapOptions;
  #events: readonly EventRow[] = [];

  /** Throws where the browser draws no maps (WebGL). */
  constructor(options: EventsMapOptions) {
    this.#options = options;
    this.#base = new BaseMap(options, (view) => this.#layer.draw(view));
    this.#layer = new EventLayer(this.#base.canvas, this.#styleOf(options.scheme));
    const { map } = this.#base;
    map.on('click', (event) => this.#click(event));
    map.on('mousemove', ({ point }) => {
      map.getCanvas().style.cursor = this.#layer.markAt(point.x, point.y) === undefined ? '' : 'pointer';
    });
  }

  /** Looks at all of them when they are others. */
  show({ events, selectedId }: EventsMapContent): void {
    const areOthers = events !== this.#events;
    this.#events = events;
    this.#layer.setEvents(events, selectedId);
    if (areOthers) this.fit();
    this.#base.redraw();
  }

  showFences(fences: readonly ShownFence[]): void {
    this.#layer.setFences(fences);
    this.#base.redraw();
  }

  fit(): void {
    const bounds = boundsOfEvents(this.#events);
    if (bounds === undefined) return;
    const { west, south, east, north } = bounds;
    this.#base.map.fitBounds([west, south, east, north], FIT);
  }

  setScheme(scheme: MapScheme): void {
    this.#layer.setStyle(this.#styleOf(scheme));
    this.#base.setScheme(scheme);
  }

  close(): void {
    this.#base.close();
  }

  #styleOf(scheme: MapScheme): EventMapStyle {
    const severities = scheme === DARK_MAP ? DARK_SEVERITIES : LIGHT_SEVERITIES;
    return { scheme, severities, font: this.#options.font };
  }

  #click({ point }: MapMouseEvent): void {
    const mark = this.#layer.markAt(point.x, point.y);
    const [first] = mark?.points ?? [];
    if (mark === undefined || first === undefined) this.#options.onSelect(undefined);
    else if (mark.points.length === 1) this.#options.onSelect(first.event.id);
    else this.#open(mark);
  }

  #open({ points }: EventMark): void {
    const events = points.map(({ event }) => event);
    const bounds = boundsOfEvents(events);
    const isOneSpot =
      bounds === undefined || Math.max(bounds.east - bounds.west, bounds.north - bounds.south) < ONE_SPOT;
    if (isOneSpot || this.#base.map.getZoom() >= MAX_ZOOM) {
      this.#options.onTogether(events);
      return;
    }
    const { west, south, east, north } = bounds;
    this.#base.map.fitBounds([west, south, east, north], { ...FIT, maxZoom: MAX_ZOOM, duration: OPEN_MS });
  }
}

// A map of one place and the way around it; loaded when it is first shown.
import type { ShownFence } from '../../protocol/api/fences/fences.ts';
import { BaseMap, type BaseMapOptions } from './baseMap.ts';
import type { MapScheme } from './mapScheme.ts';
import { type MapPlace, type TrackContent, TrackLayer } from './trackLayer.ts';

/** Zoom for a single place: streets, and their names. */
const PLACE_ZOOM = 15;
const FIT = { padding: 36, maxZoom: 16, duration: 0 } as const;

export class TrackMap {
  readonly #base: BaseMap;
  readonly #layer: TrackLayer;

  /** Throws where the browser draws no maps (WebGL). */
  constructor(options: BaseMapOptions) {
    this.#base = new BaseMap(options, (view) => this.#layer.draw(view));
    this.#layer = new TrackLayer(this.#base.canvas, options.scheme);
  }

  show(content: TrackContent): void {
    this.#layer.setContent(content);
    this.#lookAt(content);
    this.#base.redraw();
  }

  showFences(fences: readonly ShownFence[]): void {
    this.#layer.setFences(fences);
    this.#base.redraw();
  }

  setScheme(scheme: MapScheme): void {
    this.#layer.setScheme(scheme);
    this.#base.setScheme(scheme);
  }

  close(): void {
    this.#base.close();
  }

  #lookAt({ track, place }: TrackContent): void {
    const places = place === undefined ? track : [...track, place];
    const bounds = boundsOfPlaces(places);
    if (bounds === undefined) return;
    const [west, south, east, north] = bounds;
    if (west === east && south === north) this.#base.map.jumpTo({ center: [west, south], zoom: PLACE_ZOOM });
    else this.#base.map.fitBounds(bounds, FIT);
  }
}

function boundsOfPlaces(places: readonly MapPlace[]): [number, number, number, number] | undefined {
  if (places.length === 0) return undefined;
  const lats = places.map(({ lat }) => lat);
  const lngs = places.map(({ lng }) => lng);
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)];
}

// What is drawn below the devices. Owns the style of the map: loads it, follows the page's scheme, puts the outlines in the place
// of what can't be had, and tries again.
import type { ErrorEvent, Map as MapLibre } from 'maplibre-gl';
import {
  type Background,
  type BackgroundState,
  type LoadBackgroundOptions,
  loadBackground,
  loadStandIn,
} from './background.ts';
import { failedAddress, MapHealth } from './mapHealth.ts';
import type { MapScheme } from './mapScheme.ts';
import { STREET_SOURCE } from './streets/streetParts.ts';

export interface MapBackgroundOptions extends Omit<LoadBackgroundOptions, 'failedUrl'> {
  readonly onChange: (state: BackgroundState) => void;
}

const RETRY_MS = 60_000;

export class MapBackground {
  readonly #map: MapLibre;
  readonly #options: MapBackgroundOptions;
  readonly #health = new MapHealth();
  readonly #retryTimer: number;
  #scheme: MapScheme;
  #shown: { readonly state: BackgroundState; readonly scheme: MapScheme } | undefined;
  /** What the background needs and did not get: until it answers, the outlines stand in. */
  #failedUrl: string | undefined;
  #isClosed = false;

  constructor(map: MapLibre, options: MapBackgroundOptions) {
    this.#map = map;
    this.#options = options;
    this.#scheme = options.scheme;
    // A tile that does not come is no fault of the page; the browser's own log has it.
    map.on('error', (event) => this.#failed(event));
    map.on('sourcedata', ({ tile, sourceId }) => {
      // Below the streets lie the outlines, which come from elsewhere.
      const isOther = this.#shown?.state === 'streets' && sourceId !== STREET_SOURCE;
      if (tile !== undefined && !isOther) this.#health.loaded();
    });
    map.on('idle', () => this.#checkHealth());
    void this.#load();
    this.#retryTimer = window.setInterval(() => {
      if (this.#isStandIn()) void this.#load();
    }, RETRY_MS);
  }

  setScheme(scheme: MapScheme): void {
    if (scheme === this.#scheme) return;
    this.#scheme = scheme;
    if (this.#shown?.state !== 'configured') void this.#load();
  }

  /** The map is closed by its owner. */
  close(): void {
    this.#isClosed = true;
    window.clearInterval(this.#retryTimer);
  }

  #failed(event: ErrorEvent & { readonly sourceId?: unknown }): void {
    console.warn('map:', event.error.message);
    // Errors of the street map's tiles come without an address: all of them are of one file.
    const url = event.sourceId === STREET_SOURCE ? this.#options.source.pmtilesUrl : failedAddress(event);
    if (url !== undefined) this.#health.failed(url);
  }

  #checkHealth(): void {
    const { deadUrl } = this.#health;
    if (deadUrl === undefined || this.#shown === undefined || this.#isStandIn()) return;
    this.#failedUrl = deadUrl;
    void this.#load(loadStandIn);
  }

  async #load(load: (options: LoadBackgroundOptions) => Promise<Background> = loadBackground): Promise<void> {
    const scheme = this.#scheme;
    const { kind, style } = await load({ ...this.#options, scheme, failedUrl: this.#failedUrl });
    if (this.#isClosed || scheme !== this.#scheme) return;
    const before = this.#shown;
    this.#shown = { state: kind, scheme };
    if (before?.state === kind && before.scheme === scheme && this.#isStandIn()) return;
    if (!this.#isStandIn()) this.#failedUrl = undefined;
    this.#health.begin();
    // Whole, without looking for what is the same: what could not be loaded once is asked for again.
    this.#map.setStyle(style, { diff: false });
    if (before?.state !== kind) this.#options.onChange(kind);
  }

  #isStandIn(): boolean {
    const state = this.#shown?.state;
    return state === 'stand-in' || state === 'streets-stand-in';
  }
}

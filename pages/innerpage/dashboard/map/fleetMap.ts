// The map with the devices on it. Owns the map, the canvas above it and their timers; loaded when a map is first shown.
import 'maplibre-gl/dist/maplibre-gl.css';
import {
  AttributionControl,
  Map as MapLibre,
  type MapMouseEvent,
  NavigationControl,
  ScaleControl,
  type StyleSpecification,
  setWorkerCount,
  setWorkerUrl,
} from 'maplibre-gl';
// The worker as a file of this site: the content security policy takes no other.
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import type { LiveDevice } from '../../../../shared/protocol/api/liveUpdates.ts';
import { type Background, loadBackground } from './background.ts';
import { boundsOf, type Mark } from './clusters.ts';
import { DeviceLayer } from './deviceLayer.ts';
import type { MapScheme } from './mapScheme.ts';

setWorkerUrl(workerUrl);
setWorkerCount(1);

export interface FleetMapOptions {
  /** What the map stands in. */
  readonly host: HTMLElement;
  readonly styleUrl: string;
  readonly attribution: string;
  readonly scheme: MapScheme;
  readonly font: string;
  readonly texts: Readonly<Record<string, string>>;
  readonly onSelect: (deviceId: string | undefined) => void;
  /** Several devices that no zoom sets apart. */
  readonly onTogether: (deviceIds: readonly string[]) => void;
  /** The reader has moved the map: nobody is followed any more. */
  readonly onMoved: () => void;
  readonly onBackground: (kind: Background['kind']) => void;
}

const MAX_ZOOM = 18;
const FIT = { padding: 64, maxZoom: 14, duration: 500 } as const;
/** A little less than a second, so that a followed vehicle glides from one report to the next. */
const FOLLOW_MS = 900;
const CLOSE_ZOOM = 14;
const RETRY_STYLE_MS = 60_000;
const EMPTY_STYLE: StyleSpecification = { version: 8, sources: {}, layers: [] };

export class FleetMap {
  readonly #map: MapLibre;
  readonly #layer: DeviceLayer;
  readonly #options: FleetMapOptions;
  readonly #retryTimer: number;
  #scheme: MapScheme;
  #background: Background['kind'] | undefined;
  #frame = 0;
  #byId = new Map<string, LiveDevice>();
  #devices: readonly LiveDevice[] = [];
  #selected: string | undefined;
  #isFollowing = false;
  #isFitted = false;
  #isClosed = false;
  #drawn = 0;

  /** Throws where the browser draws no maps (WebGL). */
  constructor(options: FleetMapOptions) {
    this.#options = options;
    this.#scheme = options.scheme;
    this.#map = new MapLibre({
      container: options.host,
      style: EMPTY_STYLE,
      center: [121, 23.7],
      zoom: 2,
      maxZoom: MAX_ZOOM,
      minZoom: 1,
      renderWorldCopies: false,
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      attributionControl: false,
      fadeDuration: 0,
      locale: options.texts,
    });
    this.#map.touchZoomRotate.disableRotation();
    this.#map.keyboard.disableRotation();
    const canvas = document.createElement('canvas');
    canvas.className = 'fleet-map-devices';
    this.#map.getCanvasContainer().append(canvas);
    this.#layer = new DeviceLayer(canvas);
    this.#layer.setLook(this.#scheme, options.font);
    this.#addControls();
    this.#listen();
    void this.#setBackground();
    this.#retryTimer = window.setInterval(() => {
      if (this.#background === 'stand-in') void this.#setBackground();
    }, RETRY_STYLE_MS);
  }

  /** How often the devices were drawn, for measurements. */
  get drawnCount(): number {
    return this.#drawn;
  }

  setDevices(devices: readonly LiveDevice[], all: ReadonlyMap<string, LiveDevice>): void {
    this.#devices = devices;
    this.#byId = new Map(all);
    this.#layer.setDevices(this.#withSelected());
    if (!this.#isFitted && devices.length > 0) this.#isFitted = this.fit(0);
    this.#followSelected();
    this.#redraw();
  }

  select(deviceId: string | undefined, isFollowing: boolean): void {
    const isNew = deviceId !== this.#selected;
    this.#selected = deviceId;
    this.#isFollowing = isFollowing;
    this.#layer.setSelected(deviceId);
    if (isNew) {
      this.#layer.setDevices(this.#withSelected());
      this.#show(deviceId);
    } else this.#followSelected();
    this.#redraw();
  }

  /** All devices that are shown. Whether there was any. */
  fit(duration: number = FIT.duration): boolean {
    const bounds = boundsOf(this.#devices);
    if (bounds === undefined) return false;
    const { west, south, east, north } = bounds;
    this.#map.fitBounds([west, south, east, north], { ...FIT, duration });
    return true;
  }

  setScheme(scheme: MapScheme): void {
    if (scheme === this.#scheme) return;
    this.#scheme = scheme;
    this.#layer.setLook(scheme, this.#options.font);
    if (this.#background !== 'configured') void this.#setBackground();
    this.#redraw();
  }

  /** Safe to call twice. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    window.clearInterval(this.#retryTimer);
    cancelAnimationFrame(this.#frame);
    this.#map.remove();
  }

  #addControls(): void {
    const { attribution } = this.#options;
    this.#map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
    this.#map.addControl(new ScaleControl(), 'bottom-left');
    const custom = attribution === '' ? {} : { customAttribution: escapeHtml(attribution) };
    this.#map.addControl(new AttributionControl({ compact: true, ...custom }), 'bottom-right');
  }

  #listen(): void {
    const map = this.#map;
    map.on('render', () => this.#draw());
    map.on('resize', () => this.#redraw());
    map.on('click', (event) => this.#click(event));
    map.on('mousemove', (event) => {
      const isOnMark = this.#layer.markAt(event.point.x, event.point.y) !== undefined;
      map.getCanvas().style.cursor = isOnMark ? 'pointer' : '';
    });
    map.on('dragstart', () => this.#options.onMoved());
    // A tile that does not come is no fault of the page; the browser's own log has it.
    map.on('error', ({ error }) => console.warn('map:', error.message));
  }

  async #setBackground(): Promise<void> {
    const scheme = this.#scheme;
    const background = await loadBackground(this.#options.styleUrl, scheme);
    if (this.#isClosed || scheme !== this.#scheme) return;
    if (background.kind === this.#background && background.kind === 'stand-in') {
      // Nothing better yet; but the colours may be others.
      this.#map.setStyle(background.style);
      return;
    }
    this.#background = background.kind;
    this.#map.setStyle(background.style);
    this.#options.onBackground(background.kind);
  }

  #withSelected(): readonly LiveDevice[] {
    const selected = this.#selected === undefined ? undefined : this.#byId.get(this.#selected);
    if (selected === undefined || this.#devices.some(({ id }) => id === selected.id)) return this.#devices;
    return [...this.#devices, selected];
  }

  #click({ point }: MapMouseEvent): void {
    const mark = this.#layer.markAt(point.x, point.y);
    const [first] = mark?.devices ?? [];
    if (mark === undefined || first === undefined) this.#options.onSelect(undefined);
    else if (mark.devices.length === 1) this.#options.onSelect(first.device.id);
    else this.#open(mark);
  }

  #open(mark: Mark): void {
    const devices = mark.devices.map(({ device }) => device);
    const bounds = boundsOf(devices);
    const isOneSpot =
      bounds === undefined || Math.max(bounds.east - bounds.west, bounds.north - bounds.south) < 0.000_2;
    if (isOneSpot || this.#map.getZoom() >= MAX_ZOOM) {
      this.#options.onTogether(devices.map(({ id }) => id));
      return;
    }
    this.#options.onMoved();
    const { west, south, east, north } = bounds;
    this.#map.fitBounds([west, south, east, north], { ...FIT, maxZoom: MAX_ZOOM });
  }

  #show(deviceId: string | undefined): void {
    const device = deviceId === undefined ? undefined : this.#byId.get(deviceId);
    if (device === undefined || device.lat === null || device.lng === null) return;
    const zoom = Math.max(this.#map.getZoom(), CLOSE_ZOOM);
    this.#map.easeTo({ center: [device.lng, device.lat], zoom, duration: FIT.duration });
  }

  #followSelected(): void {
    if (!this.#isFollowing || this.#selected === undefined || this.#map.isZooming()) return;
    const device = this.#byId.get(this.#selected);
    if (device === undefined || device.lat === null || device.lng === null) return;
    const { lat, lng } = this.#map.getCenter();
    if (Math.abs(lat - device.lat) + Math.abs(lng - device.lng) < 1e-7) return;
    this.#map.easeTo({ center: [device.lng, device.lat], duration: FOLLOW_MS, easing: (share) => share });
  }

  /** Devices alone have changed: the map below need not be drawn again. */
  #redraw(): void {
    if (this.#frame !== 0 || this.#isClosed) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw(): void {
    if (this.#isClosed) return;
    const { lat, lng } = this.#map.getCenter();
    const { clientWidth: width, clientHeight: height } = this.#map.getContainer();
    this.#layer.draw({ lat, lng, zoom: this.#map.getZoom(), width, height });
    this.#drawn++;
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

// The map with the devices on it. Owns the map, the canvas above it and their timers; loaded when a map is first shown.
import 'maplibre-gl/dist/maplibre-gl.css';
import './map.css';
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
import type { LiveDevice } from '../../protocol/api/liveUpdates.ts';
import { type Background, type BackgroundWish, loadBackground, loadStandIn } from './background.ts';
import { boundsOf, isWithin, type Mark } from './clusters.ts';
import { DeviceLayer } from './deviceLayer.ts';
import { failedAddress, MapHealth } from './mapHealth.ts';
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
  /** What of the map something else hides. */
  readonly covered: () => Covered;
  /** The reader has moved the map: nobody is followed any more. */
  readonly onMoved: () => void;
  readonly onBackground: (kind: Background['kind']) => void;
}

/** CSS pixels from the left and from the lower edge. */
export interface Covered {
  readonly left: number;
  readonly below: number;
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
  #shownScheme: MapScheme | undefined;
  readonly #health = new MapHealth();
  /** What the configured background needs and did not get: until it answers, the outlines stand in. */
  #failedUrl: string | undefined;
  #frame = 0;
  #byId: ReadonlyMap<string, LiveDevice> = new Map();
  #devices: readonly LiveDevice[] = [];
  #selected: string | undefined;
  #isFollowing = false;
  #isFitted = false;
  /** Something was filtered while the map was out of sight. */
  #owesLook = false;
  #isClosed = false;

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

  setDevices(devices: readonly LiveDevice[], all: ReadonlyMap<string, LiveDevice>): void {
    this.#devices = devices;
    this.#byId = all;
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
    // A map out of sight has no size to fit anything into.
    if (bounds === undefined || this.#map.getContainer().clientWidth === 0) return false;
    const { west, south, east, north } = bounds;
    this.#map.fitBounds([west, south, east, north], { ...FIT, duration });
    return true;
  }

  /** Shows all devices unless some of them are in view, or one is looked at. */
  showSome(): void {
    const { clientWidth } = this.#map.getContainer();
    this.#owesLook = clientWidth === 0;
    if (this.#owesLook || this.#selected !== undefined) return;
    const view = this.#map.getBounds();
    const sides = { west: view.getWest(), south: view.getSouth(), east: view.getEast(), north: view.getNorth() };
    if (!this.#devices.some((device) => isWithin(device, sides))) this.fit();
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
    map.on('resize', () => {
      if (this.#owesLook) this.showSome();
      this.#redraw();
    });
    map.on('click', (event) => this.#click(event));
    map.on('mousemove', (event) => {
      const isOnMark = this.#layer.markAt(event.point.x, event.point.y) !== undefined;
      map.getCanvas().style.cursor = isOnMark ? 'pointer' : '';
    });
    map.on('dragstart', () => this.#options.onMoved());
    // A tile that does not come is no fault of the page; the browser's own log has it.
    map.on('error', (event) => {
      console.warn('map:', event.error.message);
      const url = failedAddress(event);
      if (url !== undefined) this.#health.failed(url);
    });
    map.on('sourcedata', ({ tile }) => {
      if (tile !== undefined) this.#health.loaded();
    });
    map.on('idle', () => this.#checkHealth());
  }

  #checkHealth(): void {
    const { deadUrl } = this.#health;
    if (deadUrl === undefined || this.#background !== 'configured') return;
    this.#failedUrl = deadUrl;
    void this.#setBackground(loadStandIn);
  }

  async #setBackground(load: (wish: BackgroundWish) => Promise<Background> = loadBackground): Promise<void> {
    const scheme = this.#scheme;
    const { styleUrl } = this.#options;
    const background = await load({ styleUrl, scheme, failedUrl: this.#failedUrl });
    if (this.#isClosed || scheme !== this.#scheme) return;
    const isNews = background.kind !== this.#background;
    if (!isNews && background.kind === 'stand-in' && scheme === this.#shownScheme) return;
    this.#background = background.kind;
    this.#shownScheme = scheme;
    if (background.kind === 'configured') this.#failedUrl = undefined;
    this.#health.begin();
    // Whole, without looking for what is the same: what could not be loaded once is asked for again.
    this.#map.setStyle(background.style, { diff: false });
    if (isNews) this.#options.onBackground(background.kind);
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
    const { offset } = this.#place();
    this.#map.easeTo({ center: [device.lng, device.lat], zoom, offset, duration: FIT.duration });
  }

  #followSelected(): void {
    if (!this.#isFollowing || this.#selected === undefined || this.#map.isZooming()) return;
    const device = this.#byId.get(this.#selected);
    if (device === undefined || device.lat === null || device.lng === null) return;
    const { offset, left, top } = this.#place();
    const center: [number, number] = [device.lng, device.lat];
    const { x, y } = this.#map.project(center);
    if (Math.abs(x - left) + Math.abs(y - top) < 0.5) return;
    this.#map.easeTo({ center, offset, duration: FOLLOW_MS, easing: (share) => share });
  }

  /** Where a device is put that is looked at: the middle of what can be seen, in the window and from the map's middle. */
  #place(): { readonly offset: [number, number]; readonly left: number; readonly top: number } {
    const { clientWidth, clientHeight } = this.#map.getContainer();
    const covered = this.#options.covered();
    const right = Math.min(clientWidth, covered.left) / 2;
    const up = Math.min(clientHeight, covered.below) / 2;
    return { offset: [right, -up], left: clientWidth / 2 + right, top: clientHeight / 2 - up };
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
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

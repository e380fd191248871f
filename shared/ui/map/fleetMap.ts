// The devices on a map, which the reader looks at, chooses and follows; loaded when a map is first shown.
import type { MapMouseEvent } from 'maplibre-gl';
import type { ShownFence } from '../../protocol/api/fences/fences.ts';
import type { LiveDevice } from '../../protocol/api/liveUpdates.ts';
import { BaseMap, type BaseMapOptions, MAX_ZOOM } from './baseMap.ts';
import { boundsOf, isWithin, type Mark } from './clusters.ts';
import { DeviceLayer } from './deviceLayer.ts';
import type { MapScheme } from './mapScheme.ts';

export interface FleetMapOptions extends BaseMapOptions {
  readonly onSelect: (deviceId: string | undefined) => void;
  /** Several devices that no zoom sets apart. */
  readonly onTogether: (deviceIds: readonly string[]) => void;
  /** What of the map something else hides. */
  readonly covered: () => Covered;
  /** The reader has moved the map: no device is followed any more. */
  readonly onMoved: () => void;
}

export interface MapContent {
  readonly devices: readonly LiveDevice[];
  /** Drawn whether or not it is among the devices. */
  readonly selected: LiveDevice | undefined;
  readonly isFollowing: boolean;
}

/** CSS pixels from the left and from the lower edge. */
export interface Covered {
  readonly left: number;
  readonly below: number;
}

const FIT = { padding: 64, maxZoom: 14, duration: 500 } as const;
/** A little less than a second, so that a followed vehicle glides from one report to the next. */
const FOLLOW_MS = 900;
const CLOSE_ZOOM = 14;

export class FleetMap {
  readonly #base: BaseMap;
  readonly #layer: DeviceLayer;
  readonly #options: FleetMapOptions;
  #content: MapContent = { devices: [], selected: undefined, isFollowing: false };
  #isFitted = false;
  /** Something was filtered while the map was out of sight. */
  #owesLook = false;

  /** Throws where the browser draws no maps (WebGL). */
  constructor(options: FleetMapOptions) {
    this.#options = options;
    this.#base = new BaseMap(options, (view) => this.#layer.draw(view));
    this.#layer = new DeviceLayer(this.#base.canvas);
    this.#layer.setStyle(options.scheme, options.font);
    this.#listen();
  }

  get #map() {
    return this.#base.map;
  }

  show(content: MapContent): void {
    const isOther = content.selected?.id !== this.#content.selected?.id;
    this.#content = content;
    this.#layer.setDevices(withSelected(content));
    this.#layer.setSelected(content.selected?.id);
    if (!this.#isFitted && content.devices.length > 0) this.#isFitted = this.fit(0);
    if (isOther) this.#goToSelected();
    else this.#followSelected();
    this.#base.redraw();
  }

  showFences(fences: readonly ShownFence[]): void {
    this.#layer.setFences(fences);
    this.#base.redraw();
  }

  /** All devices that are shown. Whether there was any. */
  fit(duration: number = FIT.duration): boolean {
    const bounds = boundsOf(this.#content.devices);
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
    if (this.#owesLook || this.#content.selected !== undefined) return;
    const view = this.#map.getBounds();
    const sides = { west: view.getWest(), south: view.getSouth(), east: view.getEast(), north: view.getNorth() };
    if (!this.#content.devices.some((device) => isWithin(device, sides))) this.fit();
  }

  setScheme(scheme: MapScheme): void {
    this.#layer.setStyle(scheme, this.#options.font);
    this.#base.setScheme(scheme);
  }

  /** Safe to call twice. */
  close(): void {
    this.#base.close();
  }

  #listen(): void {
    const map = this.#map;
    map.on('resize', () => {
      if (this.#owesLook) this.showSome();
    });
    map.on('click', (event) => this.#click(event));
    map.on('mousemove', (event) => {
      const isOnMark = this.#layer.markAt(event.point.x, event.point.y) !== undefined;
      map.getCanvas().style.cursor = isOnMark ? 'pointer' : '';
    });
    map.on('dragstart', () => this.#options.onMoved());
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

  #goToSelected(): void {
    const center = placeOf(this.#content.selected);
    if (center === undefined) return;
    const zoom = Math.max(this.#map.getZoom(), CLOSE_ZOOM);
    const { offset } = this.#place();
    this.#map.easeTo({ center, zoom, offset, duration: FIT.duration });
  }

  #followSelected(): void {
    const center = placeOf(this.#content.selected);
    if (!this.#content.isFollowing || center === undefined || this.#map.isZooming()) return;
    const { offset, left, top } = this.#place();
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
}

function withSelected({ devices, selected }: MapContent): readonly LiveDevice[] {
  if (selected === undefined || devices.some(({ id }) => id === selected.id)) return devices;
  return [...devices, selected];
}

/** Longitude and latitude; undefined for a device that never had a position. */
function placeOf(device: LiveDevice | undefined): [number, number] | undefined {
  if (device === undefined || device.lat === null || device.lng === null) return undefined;
  return [device.lng, device.lat];
}

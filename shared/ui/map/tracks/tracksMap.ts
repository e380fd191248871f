// Driven lines on a map along which a clock runs; loaded when it is first shown.
import { BaseMap, type BaseMapOptions } from '../baseMap.ts';
import { DARK_MAP, type MapScheme } from '../mapScheme.ts';
import type { TrackStyle } from './drawTracks.ts';
import { hasToFollow } from './followView.ts';
import { DARK_SPEEDS, LIGHT_SPEEDS } from './speedColors.ts';
import { boundsOfPaths, type DegreeBounds } from './trackPath.ts';
import { type DrawnVehicle, type MapMark, type TracksContent, TracksLayer } from './tracksLayer.ts';

export interface TracksMapOptions extends BaseMapOptions {
  readonly onMark: (mark: MapMark) => void;
  /** The reader has moved the map: nothing is followed any more. */
  readonly onMoved: () => void;
  /** Whenever it has come to rest. */
  readonly onZoom: (zoom: number) => void;
}

const FIT = { padding: 48, maxZoom: 16, duration: 0 } as const;
const FOLLOW_MS = 350;

export class TracksMap {
  readonly #base: BaseMap;
  readonly #layer: TracksLayer;
  readonly #options: TracksMapOptions;
  #content: TracksContent | undefined;
  #isFollowing = false;

  /** Throws where the browser draws no maps (WebGL). */
  constructor(options: TracksMapOptions) {
    this.#options = options;
    this.#base = new BaseMap(options, (view) => this.#layer.draw(view));
    const moving = document.createElement('canvas');
    moving.className = 'fleet-map-devices';
    this.#base.map.getCanvasContainer().append(moving);
    this.#layer = new TracksLayer({ still: this.#base.canvas, moving }, this.#styleOf(options.scheme));
    const { map } = this.#base;
    map.on('click', ({ point }) => this.#click(point.x, point.y));
    map.on('mousemove', ({ point }) => {
      map.getCanvas().style.cursor = this.#layer.markAt(point.x, point.y) === undefined ? '' : 'pointer';
    });
    map.on('dragstart', () => options.onMoved());
    map.on('moveend', () => options.onZoom(map.getZoom()));
  }

  show(content: TracksContent): void {
    this.#content = content;
    this.#layer.setContent(content);
    this.#base.redraw();
  }

  /** All lines that are shown. Whether there was any. */
  fit(): boolean {
    const bounds = boundsOfPaths(this.#content?.tracks.map(({ path }) => path) ?? []);
    if (bounds === undefined) return false;
    this.lookAt(bounds);
    return true;
  }

  lookAt([west, south, east, north]: DegreeBounds): void {
    this.#base.map.fitBounds([west, south, east, north], FIT);
  }

  /** For every picture: what lies below is not drawn again. `followed` stays in sight while the map follows. */
  setVehicles(vehicles: readonly DrawnVehicle[], followed: DrawnVehicle | undefined): void {
    this.#layer.setVehicles(vehicles);
    if (this.#isFollowing && followed !== undefined) this.#follow(followed);
  }

  setFollowing(isFollowing: boolean): void {
    this.#isFollowing = isFollowing;
  }

  setScheme(scheme: MapScheme): void {
    this.#layer.setStyle(this.#styleOf(scheme));
    this.#base.setScheme(scheme);
  }

  close(): void {
    this.#base.close();
  }

  #follow({ lat, lng }: DrawnVehicle): void {
    const { map } = this.#base;
    if (map.isMoving()) return;
    const { clientWidth: width, clientHeight: height } = map.getContainer();
    const { x, y } = map.project([lng, lat]);
    if (hasToFollow({ left: x, top: y }, { width, height })) map.easeTo({ center: [lng, lat], duration: FOLLOW_MS });
  }

  #click(left: number, top: number): void {
    const mark = this.#layer.markAt(left, top);
    if (mark !== undefined) this.#options.onMark(mark);
  }

  #styleOf(scheme: MapScheme): TrackStyle {
    return { scheme, speeds: scheme === DARK_MAP ? DARK_SPEEDS : LIGHT_SPEEDS, font: this.#options.font };
  }
}

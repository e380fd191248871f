// What all maps of the pages have in common: the window onto the world, its controls, its background, and a canvas over it for
// what the page shows. Owns MapLibre and the canvas; loaded when a map is first shown.
import 'maplibre-gl/dist/maplibre-gl.css';
import './map.css';
import {
  AttributionControl,
  addProtocol,
  Map as MapLibre,
  NavigationControl,
  ScaleControl,
  type StyleSpecification,
  setWorkerCount,
  setWorkerUrl,
} from 'maplibre-gl';
// The worker as a file of this site: the content security policy takes no other.
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import type { MapSource } from '../../protocol/api/fleet.ts';
import type { BackgroundState } from './background.ts';
import type { MapView } from './deviceLayer.ts';
import { MapBackground } from './mapBackground.ts';
import type { MapScheme } from './mapScheme.ts';
import { loadStreetTile, STREET_PROTOCOL } from './streets/streetMap.ts';

setWorkerUrl(workerUrl);
setWorkerCount(1);
addProtocol(STREET_PROTOCOL, loadStreetTile);

export interface BaseMapOptions {
  /** What the map stands in. */
  readonly host: HTMLElement;
  readonly source: MapSource;
  readonly language: string;
  readonly scheme: MapScheme;
  readonly font: string;
  readonly texts: Readonly<Record<string, string>>;
  readonly onBackground: (state: BackgroundState) => void;
  /** The view has come so close that a reader expects streets, or has left again. */
  readonly onStreetLevel: (isStreetLevel: boolean) => void;
}

export const MAX_ZOOM = 18;
const STREET_ZOOM = 10;
const EMPTY_STYLE: StyleSpecification = { version: 8, sources: {}, layers: [] };

export class BaseMap {
  readonly map: MapLibre;
  readonly canvas: HTMLCanvasElement;
  readonly #background: MapBackground;
  readonly #drawMarks: (view: MapView) => void;
  #frame = 0;
  #isStreetLevel = false;
  #isClosed = false;

  /** `draw`: what lies on the canvas. Throws where the browser draws no maps (WebGL). */
  constructor(options: BaseMapOptions, drawMarks: (view: MapView) => void) {
    this.#drawMarks = drawMarks;
    this.map = new MapLibre({
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
    this.map.touchZoomRotate.disableRotation();
    this.map.keyboard.disableRotation();
    this.canvas = document.createElement('canvas');
    this.canvas.className = 'fleet-map-devices';
    this.map.getCanvasContainer().append(this.canvas);
    this.#addControls(options.source);
    this.map.on('render', () => this.#draw());
    this.map.on('resize', () => this.redraw());
    this.map.on('zoom', () => this.#checkLevel(options.onStreetLevel));
    this.#background = new MapBackground(this.map, { ...options, onChange: options.onBackground });
  }

  setScheme(scheme: MapScheme): void {
    this.#background.setScheme(scheme);
    this.redraw();
  }

  /** The marks alone have changed: the map below need not be drawn again. */
  redraw(): void {
    if (this.#frame !== 0 || this.#isClosed) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  /** Safe to call twice. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#background.close();
    cancelAnimationFrame(this.#frame);
    this.map.remove();
  }

  #addControls({ attribution }: MapSource): void {
    this.map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
    this.map.addControl(new ScaleControl(), 'bottom-left');
    const custom = attribution === '' ? {} : { customAttribution: escapeHtml(attribution) };
    this.map.addControl(new AttributionControl({ compact: true, ...custom }), 'bottom-right');
  }

  #checkLevel(onStreetLevel: BaseMapOptions['onStreetLevel']): void {
    const isStreetLevel = this.map.getZoom() >= STREET_ZOOM;
    if (isStreetLevel === this.#isStreetLevel) return;
    this.#isStreetLevel = isStreetLevel;
    onStreetLevel(isStreetLevel);
  }

  #draw(): void {
    if (this.#isClosed) return;
    const { lat, lng } = this.map.getCenter();
    const { clientWidth: width, clientHeight: height } = this.map.getContainer();
    this.#drawMarks({ lat, lng, zoom: this.map.getZoom(), width, height });
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

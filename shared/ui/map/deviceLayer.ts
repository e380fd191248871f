// The devices on the map: a canvas over it that draws all marks of the window in one go, whatever moves. Ten thousand
// devices as features of the map itself would be sent to its worker and taken apart there every second.
import type { ShownFence } from '../../protocol/api/fences/fences.ts';
import type { LiveDevice } from '../../protocol/api/liveUpdates.ts';
import { clusterDevices, type Mark, type PlacedDevice, placeDevices } from './clusters.ts';
import { clusterRadius, drawMark, type PlacedMark } from './drawMarks.ts';
import { drawFences } from './fences/drawFences.ts';
import { LIGHT_MAP, type MapScheme } from './mapScheme.ts';
import type { MapView } from './mapView.ts';
import { toWorld, worldSize } from './mercator.ts';

export type { MapView } from './mapView.ts';

const MARGIN_PIXELS = 40;
const HIT_PIXELS = 16;
const NAMES_FROM_ZOOM = 8;
const MAX_NAMES = 80;
const MAX_PIXEL_RATIO = 2;

export class DeviceLayer {
  readonly canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D | null;
  #devices: readonly PlacedDevice[] = [];
  #marks: readonly Mark[] = [];
  #marksZoom = Number.NaN;
  #shown: readonly PlacedMark[] = [];
  #fences: readonly ShownFence[] = [];
  #selected: string | undefined;
  #colours: MapScheme = LIGHT_MAP;
  #font = 'sans-serif';

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.#context = canvas.getContext('2d');
  }

  setDevices(devices: readonly LiveDevice[]): void {
    this.#devices = placeDevices(devices);
    this.#marksZoom = Number.NaN;
  }

  setFences(fences: readonly ShownFence[]): void {
    this.#fences = fences;
  }

  setSelected(deviceId: string | undefined): void {
    this.#selected = deviceId;
    this.#marksZoom = Number.NaN;
  }

  setStyle(colours: MapScheme, font: string): void {
    this.#colours = colours;
    this.#font = font;
  }

  draw(view: MapView): void {
    const context = this.#context;
    if (context === null) return;
    this.#fitCanvas(view);
    const ratio = pixelRatio();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    drawFences(context, this.#fences, view, { scheme: this.#colours, font: this.#font });
    this.#shown = this.#inWindow(view);
    const singles = this.#shown.filter(({ mark }) => mark.devices.length === 1).length;
    const withNames = view.zoom >= NAMES_FROM_ZOOM && singles <= MAX_NAMES;
    const options = { colours: this.#colours, font: this.#font, withNames, selected: this.#selected };
    for (const placed of this.#shown) drawMark(context, placed, options);
  }

  /** The mark at a point of the window, the topmost first. */
  markAt(left: number, top: number): Mark | undefined {
    return this.#shown.findLast((placed) => {
      const { devices } = placed.mark;
      const reach = devices.length === 1 ? HIT_PIXELS : clusterRadius(devices.length) + 3;
      return Math.hypot(placed.left - left, placed.top - top) <= reach;
    })?.mark;
  }

  #fitCanvas({ width, height }: MapView): void {
    const ratio = pixelRatio();
    const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== across) this.canvas.width = across;
    if (this.canvas.height !== down) this.canvas.height = down;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
  }

  #inWindow(view: MapView): readonly PlacedMark[] {
    const zoom = Math.floor(view.zoom + 0.5);
    if (zoom !== this.#marksZoom) {
      this.#marks = this.#group(zoom);
      this.#marksZoom = zoom;
    }
    const size = worldSize(view.zoom);
    const centre = toWorld(view.lat, view.lng);
    const placed: PlacedMark[] = [];
    for (const mark of this.#marks) {
      const left = (mark.x - centre.x) * size + view.width / 2;
      const top = (mark.y - centre.y) * size + view.height / 2;
      if (left < -MARGIN_PIXELS || left > view.width + MARGIN_PIXELS) continue;
      if (top < -MARGIN_PIXELS || top > view.height + MARGIN_PIXELS) continue;
      placed.push({ mark, left, top });
    }
    return placed;
  }

  /** The selected device is never lost in a cluster, and lies on top. */
  #group(zoom: number): readonly Mark[] {
    const selected = this.#devices.find(({ device }) => device.id === this.#selected);
    if (selected === undefined) return sortMarks(clusterDevices(this.#devices, zoom));
    const others = this.#devices.filter((each) => each !== selected);
    return [...sortMarks(clusterDevices(others, zoom)), ...clusterDevices([selected], zoom)];
  }
}

/** Alarms over everything else. */
function sortMarks(marks: readonly Mark[]): readonly Mark[] {
  return [...marks].sort((left, right) => Math.sign(left.states.alarm) - Math.sign(right.states.alarm));
}

function pixelRatio(): number {
  return Math.min(MAX_PIXEL_RATIO, window.devicePixelRatio);
}

// From the world to the pixels of the map's window, and which parts of a line are in it. Pure.
import type { MapView } from '../deviceLayer.ts';
import { toWorld, type WorldPoint, worldSize } from '../mercator.ts';

export interface WindowPoint {
  readonly left: number;
  readonly top: number;
}

const MARGIN_PIXELS = 24;

export class MapWindow {
  readonly width: number;
  readonly height: number;
  /** CSS pixels of the whole world's side. */
  readonly size: number;
  readonly #west: number;
  readonly #north: number;

  constructor({ lat, lng, zoom, width, height }: MapView) {
    this.width = width;
    this.height = height;
    this.size = worldSize(zoom);
    const center = toWorld(lat, lng);
    this.#west = center.x - width / 2 / this.size;
    this.#north = center.y - height / 2 / this.size;
  }

  at({ x, y }: WorldPoint): WindowPoint {
    return { left: (x - this.#west) * this.size, top: (y - this.#north) * this.size };
  }

  has({ left, top }: WindowPoint): boolean {
    return this.#sideOf(left, this.width) === 0 && this.#sideOf(top, this.height) === 0;
  }

  /** False where a line between both is out of sight for certain. */
  mayShow(from: WindowPoint, to: WindowPoint): boolean {
    const across = this.#sideOf(from.left, this.width);
    const down = this.#sideOf(from.top, this.height);
    const isBeside = across !== 0 && across === this.#sideOf(to.left, this.width);
    return !isBeside && (down === 0 || down !== this.#sideOf(to.top, this.height));
  }

  #sideOf(pixels: number, length: number): -1 | 0 | 1 {
    if (pixels < -MARGIN_PIXELS) return -1;
    return pixels > length + MARGIN_PIXELS ? 1 : 0;
  }
}

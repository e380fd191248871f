// A tile's digital zoom: follows wheel, fingers and mouse, and tells the player what to draw, once a frame at most.
import type { PictureView } from '../../../workers/video/messages.ts';
import { isFramed } from '../page/layout.ts';
import type { TilePlayer } from '../tile/tilePlayer.ts';
import { isZoomed, type Place, pictureIn, pushed, type Rectangle, WHOLE_PICTURE, zoomAt } from './zoom.ts';

/** Pixels of the wheel for a factor of e. */
const WHEEL_PIXELS = 500;
const LINE_PIXELS = 16;
/** A finger or a hand that moves less meant to stay. */
const DRAG_FROM_PIXELS = 4;

interface Pointer extends Place {
  readonly startX: number;
  readonly startY: number;
}

/** Owns its listeners. */
export class ZoomControl {
  readonly #tile: HTMLElement;
  readonly #player: TilePlayer;
  readonly #onChange: (view: PictureView) => void;
  readonly #listeners = new AbortController();
  readonly #pointers = new Map<number, Pointer>();
  #isDragging = false;
  #view = WHOLE_PICTURE;
  #frame: number | undefined;

  constructor(tile: HTMLElement, player: TilePlayer, onChange: (view: PictureView) => void) {
    this.#tile = tile;
    this.#player = player;
    this.#onChange = onChange;
    const { signal } = this.#listeners;
    tile.addEventListener('wheel', (event) => this.#wheel(event), { signal, passive: false });
    tile.addEventListener('pointerdown', (event) => this.#down(event), { signal });
    tile.addEventListener('pointermove', (event) => this.#move(event), { signal });
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'] as const)
      tile.addEventListener(end, (event) => this.#up(event), { signal });
    this.#showTouch();
  }

  get view(): PictureView {
    return this.#view;
  }

  /** Whether a drag or a pinch is going on, or has just ended: then a tap was none. */
  get isDragging(): boolean {
    return this.#isDragging;
  }

  zoom(factor: number): void {
    this.#set(zoomAt(this.#view, factor, { x: 0.5, y: 0.5 }));
  }

  push(by: Place): void {
    this.#set(pushed(this.#view, by));
  }

  reset(): void {
    this.#set(WHOLE_PICTURE);
  }

  /** Safe to call twice. */
  close(): void {
    this.#listeners.abort();
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#tile.style.touchAction = '';
  }

  #wheel(event: WheelEvent): void {
    if (isTool(event.target)) return;
    const isOut = event.deltaY > 0;
    // What the tile has no use for is the page's, and in a frame the framing page scrolls unless the tile was chosen.
    if (isOut && !isZoomed(this.#view)) return;
    if (isFramed() && !event.ctrlKey && !this.#tile.contains(document.activeElement)) return;
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PIXELS : 1);
    const place = this.#placeOf(event.clientX, event.clientY);
    this.#set(zoomAt(this.#view, Math.exp(-pixels / (event.ctrlKey ? WHEEL_PIXELS / 4 : WHEEL_PIXELS)), place));
  }

  #down(event: PointerEvent): void {
    if (isTool(event.target) || event.button !== 0) return;
    if (this.#pointers.size === 0) this.#isDragging = false;
    const { clientX: x, clientY: y } = event;
    this.#pointers.set(event.pointerId, { x, y, startX: x, startY: y });
  }

  #move(event: PointerEvent): void {
    const pointer = this.#pointers.get(event.pointerId);
    if (pointer === undefined) return;
    const before = [...this.#pointers.values()];
    const { clientX: x, clientY: y } = event;
    const isFar = Math.hypot(x - pointer.startX, y - pointer.startY) >= DRAG_FROM_PIXELS;
    if (!this.#isDragging && !isFar) return;
    if (!this.#isDragging) this.#tile.setPointerCapture(event.pointerId);
    this.#isDragging = true;
    this.#pointers.set(event.pointerId, { ...pointer, x, y });
    this.#follow(before, [...this.#pointers.values()]);
  }

  #up(event: PointerEvent): void {
    // A finger's own capture, by what lies under it, ends when the tile takes it over.
    if (event.type === 'lostpointercapture' && event.target !== this.#tile) return;
    this.#pointers.delete(event.pointerId);
  }

  /** One pointer pushes the picture, two push it and stretch it. */
  #follow(before: readonly Place[], after: readonly Place[]): void {
    const { width, height } = this.#rectangle();
    if (width <= 0 || height <= 0) return;
    const [from, to] = [middleOf(before), middleOf(after)];
    const stretched = before.length < 2 ? 1 : spreadOf(after) / Math.max(1, spreadOf(before));
    const moved = pushed(this.#view, { x: (to.x - from.x) / width, y: (to.y - from.y) / height });
    this.#set(stretched === 1 ? moved : zoomAt(moved, stretched, this.#placeOf(to.x, to.y)));
  }

  #placeOf(clientX: number, clientY: number): Place {
    const { left, top } = this.#tile.getBoundingClientRect();
    const { x, y, width, height } = this.#rectangle();
    return { x: (clientX - left - x) / width, y: (clientY - top - y) / height };
  }

  #rectangle(): Rectangle {
    const { width, height } = this.#tile.getBoundingClientRect();
    return pictureIn({ width, height }, this.#player.statistics().picture);
  }

  #set(view: PictureView): void {
    const was = this.#view;
    if (view.scale === was.scale && view.centerX === was.centerX && view.centerY === was.centerY) return;
    this.#view = view;
    this.#showTouch();
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#player.setView(this.#view);
      this.#onChange(this.#view);
    });
  }

  /** A framing page that scrolls goes on scrolling by touch over a picture that is seen whole. */
  #showTouch(): void {
    this.#tile.style.touchAction = isFramed() && !isZoomed(this.#view) ? 'pan-x pan-y' : 'none';
  }
}

/** What lies on the picture has pointers of its own. */
export function isTool(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.tile-tools-part') !== null;
}

function middleOf(places: readonly Place[]): Place {
  const sum = places.reduce((total, { x, y }) => ({ x: total.x + x, y: total.y + y }), { x: 0, y: 0 });
  return { x: sum.x / places.length, y: sum.y / places.length };
}

function spreadOf([first, second]: readonly Place[]): number {
  return first === undefined || second === undefined ? 0 : Math.hypot(first.x - second.x, first.y - second.y);
}

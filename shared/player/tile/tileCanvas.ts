// A tile's canvases in the page. The player makes them, not React: a canvas can be handed to a worker once only, and React
// may run an effect twice on the same element.
import type { PixelSize } from '../../../workers/video/messages.ts';

export interface TileCanvas {
  readonly offscreen: OffscreenCanvas;
  /** Safe to call twice. */
  remove(): void;
}

/** Puts a new canvas into the host, in front of what stands there. */
export function addCanvas(host: HTMLElement): TileCanvas {
  const canvas = host.ownerDocument.createElement('canvas');
  canvas.className = 'video-tile-canvas';
  host.append(canvas);
  return { offscreen: canvas.transferControlToOffscreen(), remove: () => canvas.remove() };
}

export interface BoxWatch {
  /** Safe to call twice. */
  close(): void;
}

/** The element's size in pixels of the screen. */
export function measureBox(element: HTMLElement): PixelSize {
  const { width, height } = element.getBoundingClientRect();
  return scaled(width, height);
}

/**
 * Tells every change of the element's size in pixels of the screen, zoom included; not while it is not laid out. A canvas has that size:
 * drawing 704x576 for a tile of 464x380 costs a third more than drawing 464x380.
 */
export function watchBox(element: HTMLElement, onChange: (box: PixelSize) => void): BoxWatch {
  const observer = new ResizeObserver((entries) => {
    const entry = entries.at(-1);
    const box = entry === undefined ? undefined : boxOf(entry);
    if (box !== undefined && box.width > 0 && box.height > 0) onChange(box);
  });
  try {
    observer.observe(element, { box: 'device-pixel-content-box' });
  } catch {
    observer.observe(element); // Safari before 18.4 knows no device pixels
  }
  return { close: () => observer.disconnect() };
}

/** Tells whether any of the element is in view, at first and with each change: frames around the page count too. */
export function watchView(element: HTMLElement, onChange: (isInView: boolean) => void): () => void {
  const observer = new IntersectionObserver((entries) => {
    const entry = entries.at(-1);
    if (entry !== undefined) onChange(entry.isIntersecting);
  });
  observer.observe(element);
  return () => observer.disconnect();
}

function boxOf({ devicePixelContentBoxSize, contentRect }: ResizeObserverEntry): PixelSize {
  const exact = devicePixelContentBoxSize?.[0];
  if (exact !== undefined) return { width: exact.inlineSize, height: exact.blockSize };
  return scaled(contentRect.width, contentRect.height);
}

function scaled(width: number, height: number): PixelSize {
  const ratio = window.devicePixelRatio;
  return { width: Math.round(width * ratio), height: Math.round(height * ratio) };
}

// Paints pictures on one canvas. Owns the canvas; the frames belong to the caller.
import type { PictureView, PixelSize, VideoFault } from './messages.ts';
import { fitPicture } from './pictureSize.ts';
import { visiblePart, WHOLE } from './pictureView.ts';

/** What is drawn, with the size that it is meant to be seen at. */
export type Picture = CanvasImageSource & { readonly displayWidth: number; readonly displayHeight: number };

export class CanvasPainter {
  readonly #canvas: OffscreenCanvas;
  readonly #context: OffscreenCanvasRenderingContext2D | null;
  readonly #onFault: (fault: VideoFault) => void;
  #box: PixelSize;
  #view: PictureView = WHOLE;
  #isBroken = false;

  constructor(canvas: OffscreenCanvas, box: PixelSize, onFault: (fault: VideoFault) => void) {
    this.#canvas = canvas;
    this.#box = box;
    this.#onFault = onFault;
    // Pictures cover all of it: without transparency the compositor need not blend it with what lies behind.
    this.#context = canvas.getContext('2d', { alpha: false });
    canvas.addEventListener('contextlost', () => this.#break('the canvas lost its context'));
  }

  /** Acts at the next picture: changing a canvas's size clears it. */
  resize(box: PixelSize): void {
    this.#box = box;
  }

  /** Acts at the next picture, likewise. */
  setView(view: PictureView): void {
    this.#view = view;
  }

  /** False when the picture is not on the canvas; a fault has then been reported, once. */
  paint(picture: Picture): boolean {
    if (this.#isBroken) return false;
    if (this.#context === null) return this.#break('the canvas gives no context');
    try {
      const part = visiblePart({ width: picture.displayWidth, height: picture.displayHeight }, this.#view);
      const { width, height } = fitPicture(part, this.#box);
      if (this.#canvas.width !== width) this.#canvas.width = width;
      if (this.#canvas.height !== height) this.#canvas.height = height;
      this.#context.drawImage(picture, part.x, part.y, part.width, part.height, 0, 0, width, height);
      return true;
    } catch (error) {
      return this.#break(String(error));
    }
  }

  #break(message: string): false {
    if (!this.#isBroken) this.#onFault({ kind: 'canvas', message });
    this.#isBroken = true;
    return false;
  }
}

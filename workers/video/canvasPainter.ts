// Paints pictures on one canvas. Owns the canvas; the frames belong to the caller.
import type { PixelSize, VideoFault } from './messages.ts';
import { fitPicture } from './pictureSize.ts';

/** What is drawn, with the size that it is meant to be seen at. */
export type Picture = CanvasImageSource & { readonly displayWidth: number; readonly displayHeight: number };

export class CanvasPainter {
  readonly #canvas: OffscreenCanvas;
  readonly #context: OffscreenCanvasRenderingContext2D | null;
  readonly #onFault: (fault: VideoFault) => void;
  #box: PixelSize;
  #isBroken = false;

  constructor(canvas: OffscreenCanvas, box: PixelSize, onFault: (fault: VideoFault) => void) {
    this.#canvas = canvas;
    this.#box = box;
    this.#onFault = onFault;
    this.#context = canvas.getContext('2d');
    canvas.addEventListener('contextlost', () => this.#break('the canvas lost its context'));
  }

  /** Acts at the next picture: changing a canvas's size clears it. */
  resize(box: PixelSize): void {
    this.#box = box;
  }

  /** False when the picture is not on the canvas; a fault has then been reported, once. */
  paint(picture: Picture): boolean {
    if (this.#isBroken) return false;
    if (this.#context === null) return this.#break('the canvas gives no context');
    try {
      const { width, height } = fitPicture({ width: picture.displayWidth, height: picture.displayHeight }, this.#box);
      if (this.#canvas.width !== width) this.#canvas.width = width;
      if (this.#canvas.height !== height) this.#canvas.height = height;
      this.#context.drawImage(picture, 0, 0, width, height);
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

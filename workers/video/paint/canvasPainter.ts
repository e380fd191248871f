// Paints pictures on one canvas. Owns the canvas; the frames belong to the caller.

import { fitPicture } from '../decode/pictureSize.ts';
import type { PictureView, PixelSize, VideoFault } from '../messages.ts';
import { PaintChoice } from './paintChoice.ts';
import { stripsOf } from './pictureStrips.ts';
import { visiblePart, WHOLE } from './pictureView.ts';

/** What is drawn, with the size that it is meant to be seen at. */
export type Picture = CanvasImageSource & { readonly displayWidth: number; readonly displayHeight: number };

export interface PainterDeps {
  readonly onFault: (fault: VideoFault) => void;
  /** Milliseconds. */
  readonly now: () => number;
}

export class CanvasPainter {
  readonly #canvas: OffscreenCanvas;
  readonly #context: OffscreenCanvasRenderingContext2D | null;
  readonly #deps: PainterDeps;
  readonly #choice = new PaintChoice();
  #box: PixelSize;
  #view: PictureView = WHOLE;
  #isBroken = false;

  constructor(canvas: OffscreenCanvas, box: PixelSize, deps: PainterDeps) {
    this.#canvas = canvas;
    this.#box = box;
    this.#deps = deps;
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
      const isWhole = part.height === picture.displayHeight;
      if (isWhole && isVideoFrame(picture)) this.#drawWhole(this.#context, picture);
      else this.#context.drawImage(picture, part.x, part.y, part.width, part.height, 0, 0, width, height);
      return true;
    } catch (error) {
      return this.#break(String(error));
    }
  }

  #drawWhole(context: OffscreenCanvasRenderingContext2D, frame: VideoFrame): void {
    const startMs = this.#deps.now();
    if (this.#choice.way === 'strips' && isCutEvenly(frame)) drawStrips(context, frame);
    else context.drawImage(frame, 0, 0, context.canvas.width, context.canvas.height);
    this.#choice.note(this.#deps.now() - startMs);
  }

  #break(message: string): false {
    if (!this.#isBroken) this.#deps.onFault({ kind: 'canvas', message });
    this.#isBroken = true;
    return false;
  }
}

function isVideoFrame(picture: Picture): picture is VideoFrame {
  return 'visibleRect' in picture;
}

/** Colour has half the rows: a strip of a picture that is cut out at an odd row could not begin at a whole one. */
function isCutEvenly({ visibleRect }: VideoFrame): boolean {
  return ((visibleRect?.x ?? 0) | (visibleRect?.y ?? 0)) % 2 === 0;
}

function drawStrips(context: OffscreenCanvasRenderingContext2D, frame: VideoFrame): void {
  const { width, height } = context.canvas;
  const visibleRect = frame.visibleRect ?? { x: 0, y: 0, width: frame.codedWidth, height: frame.codedHeight };
  for (const { fromRow, rows, sourceY, sourceHeight, targetY, targetHeight } of stripsOf(visibleRect, height)) {
    const part = { x: visibleRect.x, y: visibleRect.y + fromRow, width: visibleRect.width, height: rows };
    const strip = new VideoFrame(frame, { visibleRect: part, displayWidth: part.width, displayHeight: part.height });
    try {
      context.drawImage(strip, 0, sourceY, part.width, sourceHeight, 0, targetY, width, targetHeight);
    } finally {
      strip.close();
    }
  }
}

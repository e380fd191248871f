// Whether pictures are painted whole or in strips. Pure.

export type PaintWay = 'whole' | 'strips';

/**
 * With a GPU, painting takes tenths of a millisecond. If it takes this long, the processor does it. Strips then save more
 * than is measured here: drawing them takes about as long, but the rest of the machine has less work. Copied planes
 * (`copyTo`), the picture's own size and `ImageBitmap` were measured too, and cost more.
 */
const SLOW_PAINT_MS = 2;
const SAMPLE_PAINTS = 25;

export class PaintChoice {
  #way: PaintWay = 'whole';
  #paintMs: number[] = [];

  get way(): PaintWay {
    return this.#way;
  }

  /** Notes the duration of a painting. A machine that was too slow once keeps using strips, which cost little anywhere. */
  note(paintMs: number): void {
    if (this.#way === 'strips') return;
    this.#paintMs.push(paintMs);
    if (this.#paintMs.length < SAMPLE_PAINTS) return;
    if (median(this.#paintMs) >= SLOW_PAINT_MS) this.#way = 'strips';
    this.#paintMs = [];
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0;
}

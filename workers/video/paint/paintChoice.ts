// Whether pictures are painted whole or in strips. Pure.

export type PaintWay = 'whole' | 'strips';

/**
 * With a GPU painting is a matter of tenths. Where it takes this long the processor does it, and strips spare it more than shows
 * here: the time of drawing them is about the same, but the machine has less to do around it.
 */
const SLOW_PAINT_MS = 2;
const SAMPLE_PAINTS = 25;

export class PaintChoice {
  #way: PaintWay = 'whole';
  #paintMs: number[] = [];

  get way(): PaintWay {
    return this.#way;
  }

  /** How long a painting took. A machine that was once too slow keeps to strips: nowhere do they cost much. */
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

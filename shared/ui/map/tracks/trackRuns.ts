// What of a driven line is drawn: runs of one color, gaps, and where arrows say the direction. Pure.
import type { MapWindow, WindowPoint } from './mapWindow.ts';
import { speedBand } from './speedColors.ts';
import type { TrackPath } from './trackPath.ts';

interface TrackRun {
  readonly band: number;
  readonly points: readonly WindowPoint[];
}

export interface TrackArrow extends WindowPoint {
  /** Radians, clockwise from upward. */
  readonly angle: number;
}

export interface TrackRuns {
  readonly runs: readonly TrackRun[];
  /** From the last point before the silence to the first after it. */
  readonly gaps: readonly (readonly [WindowPoint, WindowPoint])[];
  readonly arrows: readonly TrackArrow[];
}

const CLOSE_PIXELS = 0.75;
const ARROW_PIXELS = 90;
/** Where a way was driven several times, its arrows would hide it. */
const ARROWS_APART_PIXELS = 24;

/** Points that fall together are left out, and so is what is out of sight. A stretch has the color of its faster end. */
export function trackRuns({ points, speedKmh, gaps }: TrackPath, window: MapWindow): TrackRuns {
  const drawn = new RunCollector();
  let before: WindowPoint | undefined;
  points.forEach((point, at) => {
    const here = window.at(point);
    if (before !== undefined) {
      const isFar = Math.abs(here.left - before.left) + Math.abs(here.top - before.top) >= CLOSE_PIXELS;
      const isGap = gaps.has(at);
      if (!isFar && !isGap) return;
      if (!window.mayShow(before, here)) drawn.end();
      else if (isGap) drawn.gap(before, here);
      else drawn.stretch(before, here, speedBand(Math.max(speedKmh[at - 1] ?? 0, speedKmh[at] ?? 0)));
    }
    before = here;
  });
  return drawn;
}

class RunCollector implements TrackRuns {
  readonly runs: { band: number; points: WindowPoint[] }[] = [];
  readonly gaps: (readonly [WindowPoint, WindowPoint])[] = [];
  readonly arrows: TrackArrow[] = [];
  #open: { band: number; points: WindowPoint[] } | undefined;
  #sinceArrow = ARROW_PIXELS / 2;
  readonly #arrowCells = new Set<string>();

  stretch(from: WindowPoint, to: WindowPoint, band: number): void {
    if (this.#open?.band !== band) {
      this.#open = { band, points: [from] };
      this.runs.push(this.#open);
    }
    this.#open.points.push(to);
    this.#arrow(from, to);
  }

  gap(from: WindowPoint, to: WindowPoint): void {
    this.end();
    this.gaps.push([from, to]);
  }

  end(): void {
    this.#open = undefined;
  }

  #arrow(from: WindowPoint, to: WindowPoint): void {
    const [across, down] = [to.left - from.left, to.top - from.top];
    this.#sinceArrow += Math.hypot(across, down);
    if (this.#sinceArrow < ARROW_PIXELS) return;
    this.#sinceArrow = 0;
    const [left, top] = [from.left + across / 2, from.top + down / 2];
    if (!this.#takeCell(left, top)) return;
    this.arrows.push({ left, top, angle: Math.atan2(across, -down) });
  }
  /** False where there is an arrow close by. */
  #takeCell(left: number, top: number): boolean {
    const [column, row] = [Math.floor(left / ARROWS_APART_PIXELS), Math.floor(top / ARROWS_APART_PIXELS)];
    for (const beside of [-1, 0, 1]) {
      for (const above of [-1, 0, 1]) {
        if (this.#arrowCells.has(`${column + beside} ${row + above}`)) return false;
      }
    }
    this.#arrowCells.add(`${column} ${row}`);
    return true;
  }
}

// Straight lines on the plan of the demo's town: laid out, cut where others cross, and ended where no street may be. Pure.
import { between, createRandom, type PlanPoint, straight } from './ground.ts';

const END_METRES = 3_000;
/** Shorter parts lead nowhere. */
const MIN_POINTS = 4;
const HALVINGS = 6;
const SMALL = { spacingMetres: 190, shiftMetres: 24 };

export type Ends = readonly [PlanPoint, PlanPoint];

export function alongU(u: number): Ends {
  return [
    [u, -END_METRES],
    [u, END_METRES],
  ];
}

export function alongV(v: number): Ends {
  return [
    [-END_METRES, v],
    [END_METRES, v],
  ];
}

/** A line in the parts into which others cut it, which cross it where they are on the plan. */
export function pieces([from, to]: Ends, cuts: readonly number[]): readonly Ends[] {
  const axis = from[0] === to[0] ? 1 : 0;
  const shares = cuts.map((cut) => (cut - from[axis]) / (to[axis] - from[axis]));
  const stops = [0, ...shares.sort((left, right) => left - right), 1];
  return stops.slice(1).map((stop, at): Ends => [between(from, to, stops[at] ?? 0), between(from, to, stop)]);
}

/** The parts of a straight line that lie where it may. */
export function allowedParts([from, to]: Ends, isAllowed: (point: PlanPoint) => boolean): readonly PlanPoint[][] {
  const parts: PlanPoint[][] = [];
  const part: PlanPoint[] = [];
  let before: PlanPoint | undefined;
  for (const point of straight(from, to)) {
    const [is, was] = [isAllowed(point), part.length > 0];
    if (before !== undefined && is !== was)
      part.push(is ? edge(before, point, isAllowed) : edge(point, before, isAllowed));
    if (is) part.push(point);
    else if (was) parts.push(part.splice(0));
    before = point;
  }
  return [...parts, part].filter(({ length }) => length >= MIN_POINTS);
}

/** Where the allowed ground ends, within some centimetres. */
function edge(outside: PlanPoint, inside: PlanPoint, isAllowed: (point: PlanPoint) => boolean): PlanPoint {
  let [out, within] = [outside, inside];
  for (let turn = 0; turn < HALVINGS; turn++) {
    const middle = between(out, within, 0.5);
    if (isAllowed(middle)) within = middle;
    else out = middle;
  }
  return within;
}

/** The large lines, and small ones between and beside them, as far as `most` to both sides. */
export function gridLines(large: readonly number[], most: number, seed: number): readonly number[] {
  const random = createRandom(seed);
  const stops = [-most, ...large, most];
  return stops.slice(1).flatMap((stop, at) => {
    const from = stops[at] ?? 0;
    const count = Math.round((stop - from) / SMALL.spacingMetres);
    const small = Array.from({ length: count - 1 }, (_, index) => {
      const shift = (random() - 0.5) * 2 * SMALL.shiftMetres;
      return from + ((stop - from) * (index + 1)) / count + shift;
    });
    return stop === most ? small : [...small, stop];
  });
}

// The ground that the demo's town stands on. The town is planned on a straight grid, in metres to the east and north of its centre; the
// ground bends and turns the plan, so that no street is a ruler's line, and what belongs together stays together. Pure.

/** Metres on the plan: u roughly to the east, v roughly to the north. */
export type PlanPoint = readonly [u: number, v: number];
/** Metres on the ground: x to the east, y to the north. */
export type GroundPoint = readonly [x: number, y: number];

/** In the middle of Taiwan, where the demo's vehicles have always driven. */
const CENTRE = { latitude: 23.8575, longitude: 120.9155 };
const METRES_PER_DEGREE = 111_320;
const TURN = (9 * Math.PI) / 180;

export function toGround([u, v]: PlanPoint): GroundPoint {
  const bentU = u + 70 * Math.sin(v / 650) + 45 * Math.sin(u / 900 + 1);
  const bentV = v + 60 * Math.sin(u / 700 + 0.6);
  return [bentU * Math.cos(TURN) - bentV * Math.sin(TURN), bentU * Math.sin(TURN) + bentV * Math.cos(TURN)];
}

export function toDegrees([x, y]: GroundPoint): { readonly latitude: number; readonly longitude: number } {
  const scale = Math.cos((CENTRE.latitude * Math.PI) / 180);
  return {
    latitude: CENTRE.latitude + y / METRES_PER_DEGREE,
    longitude: CENTRE.longitude + x / (METRES_PER_DEGREE * scale),
  };
}

const STEP_METRES = 20;

/** A straight line of the plan with enough points to be bent. */
export function straight(from: PlanPoint, to: PlanPoint): readonly PlanPoint[] {
  const steps = Math.max(1, Math.ceil(distance(from, to) / STEP_METRES));
  return Array.from({ length: steps + 1 }, (_, at) => between(from, to, at / steps));
}

/** A point of the way between two, `share` 0 to 1. */
export function between(from: PlanPoint, to: PlanPoint, share: number): PlanPoint {
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
}

export function distance([fromX, fromY]: readonly [number, number], [toX, toY]: readonly [number, number]): number {
  return Math.hypot(toX - fromX, toY - fromY);
}

/** The same numbers at every start: the town looks alike today and tomorrow. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

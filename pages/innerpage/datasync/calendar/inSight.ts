// How far a box is scrolled so that a part of it is in sight. Pure.
export interface Edges {
  readonly left: number;
  readonly right: number;
}

/** Pixels; 0 for a part that is visible already, else the distance that brings it into the middle. */
export function distanceIntoSight(box: Edges, part: Edges): number {
  if (part.left >= box.left && part.right <= box.right) return 0;
  return (part.left + part.right - box.left - box.right) / 2;
}

// Straight lines on a plane. Pure.

/** From the origin to the nearest point of a line, and how far along it that point is, 0 to 1. */
export function nearestToOrigin(x1: number, y1: number, x2: number, y2: number): { squared: number; share: number } {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const squaredLength = dx * dx + dy * dy;
  const share = squaredLength === 0 ? 0 : Math.min(1, Math.max(0, -(x1 * dx + y1 * dy) / squaredLength));
  const [x, y] = [x1 + share * dx, y1 + share * dy];
  return { squared: x * x + y * y, share };
}

export interface Segment {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** Whether two lines have a point in common. */
export function doCross(left: Segment, right: Segment): boolean {
  return areBeside(left, right) && isBetween(left, right) && isBetween(right, left);
}

/** Whether their boxes have a point in common: lines in one direction, one behind the other, don't cross. */
function areBeside(left: Segment, right: Segment): boolean {
  return (
    Math.min(left.x1, left.x2) <= Math.max(right.x1, right.x2) &&
    Math.max(left.x1, left.x2) >= Math.min(right.x1, right.x2) &&
    Math.min(left.y1, left.y2) <= Math.max(right.y1, right.y2) &&
    Math.max(left.y1, left.y2) >= Math.min(right.y1, right.y2)
  );
}

/** Whether the ends of the other lie on both sides of the line. */
function isBetween(line: Segment, other: Segment): boolean {
  return sideOf(line, other.x1, other.y1) * sideOf(line, other.x2, other.y2) <= 0;
}

/** Above 0 to the left of the line. */
export function sideOf({ x1, y1, x2, y2 }: Segment, x: number, y: number): number {
  return (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
}

/** The shortest way between two lines. */
export function metersApart(left: Segment, right: Segment): number {
  if (doCross(left, right)) return 0;
  const squares = [
    squaredTo(left, right.x1, right.y1),
    squaredTo(left, right.x2, right.y2),
    squaredTo(right, left.x1, left.y1),
    squaredTo(right, left.x2, left.y2),
  ];
  return Math.sqrt(Math.min(...squares));
}

function squaredTo({ x1, y1, x2, y2 }: Segment, x: number, y: number): number {
  return nearestToOrigin(x1 - x, y1 - y, x2 - x, y2 - y).squared;
}

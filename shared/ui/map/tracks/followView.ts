// When a map that follows a vehicle moves. Pure.
import type { WindowPoint } from './mapWindow.ts';

/** Share of the window's sides, around its middle: in here the vehicle drives without moving the map. */
const QUIET_SHARE = 0.6;

/** Moving the map for every picture would draw all of it again each time: it moves when the vehicle comes near its edge. */
export function hasToFollow(
  { left, top }: WindowPoint,
  size: { readonly width: number; readonly height: number },
): boolean {
  const isOut = (at: number, length: number) => Math.abs(at - length / 2) > (length * QUIET_SHARE) / 2;
  return isOut(left, size.width) || isOut(top, size.height);
}

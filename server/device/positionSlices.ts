// What one turn of the event loop works off of many positions. Pure.
import type { Position } from './jt808/codec/messages/position.ts';

/** Some milliseconds with every rule on. */
export const SLICE_POSITIONS = 32;
/** An item of active safety takes about as long as a position. */
export const SLICE_ITEMS = 320;

type Sized = Pick<Position, 'items'>;

/** In order, none of them empty. A position with more items than a slice may have is one by itself. */
export function slicesOf<Each extends Sized>(positions: readonly Each[]): Each[][] {
  const slices: Each[][] = [];
  let slice: Each[] = [];
  let items = 0;
  for (const position of positions) {
    const isFull = slice.length >= SLICE_POSITIONS || items + position.items.length > SLICE_ITEMS;
    if (isFull && slice.length > 0) {
      slices.push(slice);
      slice = [];
      items = 0;
    }
    slice.push(position);
    items += position.items.length;
  }
  return slice.length === 0 ? slices : [...slices, slice];
}

// Orders in which encoders send pictures, by their numbers in the order of showing.

/** `count` B pictures between two references, one level deep. */
export function flat(count: number): number[] {
  return [count + 1, ...Array.from({ length: count }, (_, index) => index + 1)];
}

/** B pictures that refer to B pictures: 2 ** depth pictures, the last of which is sent first. */
export function pyramid(depth: number): number[] {
  const between = (before: number, after: number): number[] => {
    const middle = (before + after) / 2;
    return after - before < 2 ? [] : [middle, ...between(before, middle), ...between(middle, after)];
  };
  const size = 2 ** depth;
  return [size, ...between(0, size)];
}

export interface SentPicture {
  /** Place in the order of showing. */
  readonly number: number;
  readonly key: boolean;
}

/** Groups of three times the order behind a key frame that is shown before all of them. */
export function closedGroups(order: readonly number[], groups: number): SentPicture[] {
  const size = 3 * order.length + 1;
  return Array.from({ length: groups }, (_, group) => [
    { number: group * size, key: true },
    ...[0, 1, 2].flatMap((part) =>
      order.map((place) => ({ number: group * size + part * order.length + place, key: false })),
    ),
  ]).flat();
}

/** The same with pictures behind each key frame that are shown before it. */
export function openGroups(order: readonly number[], groups: number): SentPicture[] {
  const parts = Array.from({ length: groups * 3 }, (_, part) =>
    order.map((place, index) => ({ number: part * order.length + place, key: index === 0 && part % 3 === 2 })),
  );
  return [{ number: 0, key: true }, ...parts.flat()];
}

/** The name of an order, the order, and how many pictures are sent before one that is shown before them. */
export const ORDERS: readonly (readonly [string, readonly number[], number])[] = [
  ['no B pictures', [1], 0],
  ['one B picture', flat(1), 1],
  ['two B pictures', flat(2), 1],
  ['three B pictures', flat(3), 1],
  ['a pyramid of three', pyramid(2), 2],
  ['a pyramid of seven', pyramid(3), 3],
  ['a pyramid of fifteen', pyramid(4), 4],
];

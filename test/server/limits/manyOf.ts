// What cases of limits do often.

export function times(count: number, run: (index: number) => void): void {
  for (let index = 0; index < count; index++) run(index);
}

/** An address for each number below 65,536. */
export const addressOf = (index: number): string => `10.0.${index >> 8}.${index & 255}`;

/** As files write coordinates and sizes. Not what `Number` takes beside it: nothing, blanks, hexadecimal numbers, infinity. */
const DECIMAL = /^[+-]?(?:\d{1,20}(?:\.\d{0,60})?|\.\d{1,60})(?:e[+-]?\d{1,3})?$/i;

/** Undefined for what is no number. Pure. */
export function decimalOf(text: string): number | undefined {
  const number = DECIMAL.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

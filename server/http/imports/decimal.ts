/** Numbers as files write coordinates and sizes, without what `Number` also accepts: nothing, blanks, hexadecimal numbers, infinity. */
const DECIMAL = /^[+-]?(?:\d{1,20}(?:\.\d{0,60})?|\.\d{1,60})(?:e[+-]?\d{1,3})?$/i;

/** Undefined for a text that isn't a number. Pure. */
export function decimalOf(text: string): number | undefined {
  const number = DECIMAL.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** Numbers of the bits that are set in a 32-bit word, lowest first. */
export function setBits(word: number): number[] {
  const bits: number[] = [];
  // Each pass clears the lowest bit that is set.
  for (let rest = word >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) bits.push(31 - Math.clz32(rest & -rest));
  return bits;
}

export const MAX_MASK = 2 ** 32 - 1;

/** The lowest channel of a mask (bit 0 is channel 1) or of a bit string (the leftmost is); undefined for none. */
export function firstChannelOf(channels: number | string): number | undefined {
  if (typeof channels === 'string') {
    const at = channels.indexOf('1');
    return at < 0 ? undefined : at + 1;
  }
  for (let bit = 0; bit < 32; bit++) if (Math.floor(channels / 2 ** bit) % 2 === 1) return bit + 1;
  return undefined;
}

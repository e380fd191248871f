/** Each has 3:1 on the backgrounds of both schemes (tested), so that one color serves in both. */
export const PALETTE = {
  red: '#dc4a41',
  orange: '#c96a1b',
  amber: '#a37a00',
  green: '#2f9150',
  teal: '#16908f',
  blue: '#3b82d6',
  indigo: '#6a74e0',
  purple: '#a45cd0',
  pink: '#d1509a',
  brown: '#a0725a',
  gray: '#76818c',
} as const;
export type PaletteColor = keyof typeof PALETTE;
export const PALETTE_COLORS = Object.keys(PALETTE) as readonly PaletteColor[];

/** What is offered: the palette, and before it the color of a type that has another. */
export function offeredColors(current: string): readonly string[] {
  const colors: readonly string[] = Object.values(PALETTE);
  return current === '' || colors.includes(current) ? colors : [current, ...colors];
}

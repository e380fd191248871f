// Colors as tests look at them: `#rrggbb`.

/** Red, green and blue, 0 to 1. */
export function channels(color: string | undefined): [number, number, number] {
  const hex = /^#([0-9a-f]{6})$/.exec(color ?? '')?.[1];
  if (hex === undefined) throw new Error(`no colour: ${color}`);
  return [0, 2, 4].map((start) => Number.parseInt(hex.slice(start, start + 2), 16) / 255) as [number, number, number];
}

/** Contrast ratio as WCAG 2 defines it. */
export function contrast(one: string | undefined, other: string | undefined): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string | undefined): number {
  const [red, green, blue] = channels(color).map((value) =>
    value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

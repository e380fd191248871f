// The colors of a driven line by speed. Each has 3:1 on the land of the map in its scheme (tested). Pure.

/** Lower ends in km/h, rising. */
export const SPEED_BANDS = [0, 20, 40, 60, 80, 100] as const;

/** One color for each band. */
export type SpeedColors = readonly [string, string, string, string, string, string];

export const LIGHT_SPEEDS: SpeedColors = ['#3d5a80', '#1a66c2', '#00707a', '#2f7532', '#b25b00', '#b3261e'];
export const DARK_SPEEDS: SpeedColors = ['#a7b1bc', '#7db4f5', '#5fc8c8', '#7fd196', '#f2b661', '#f59b94'];

/** The index of a speed's band. */
export function speedBand(speedKmh: number): number {
  const above = SPEED_BANDS.findIndex((lowest) => lowest > speedKmh);
  return Math.max(0, (above < 0 ? SPEED_BANDS.length : above) - 1);
}

/** Colors of vehicles that share a map, which their numbers tell apart too. */
export const LIGHT_VEHICLES = [
  '#1a5fb4',
  '#b3261e',
  '#1d6b34',
  '#8a5300',
  '#6b3fa0',
  '#00707a',
  '#a3246b',
  '#505d6b',
] as const;
export const DARK_VEHICLES = [
  '#7db4f5',
  '#f59b94',
  '#7fd196',
  '#f2b661',
  '#c4a5f0',
  '#5fc8c8',
  '#f09bc6',
  '#a7b1bc',
] as const;

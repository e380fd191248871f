// Figures as text. Pure.

/** A dash for what is not known. A rate just below the whole is not shown as the whole. */
export function percentText(rate: number | null | undefined): string {
  if (rate === null || rate === undefined) return '–';
  const percent = rate * 100;
  const isWhole = percent === 0 || percent === 100;
  return isWhole ? `${percent}%` : `${Math.min(99.9, Math.max(0.1, percent)).toFixed(1)}%`;
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Uses powers of ten, as disks are sold. */
export function bytesText(bytes: number): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

export function bitRateText(bytesPerSecond: number): string {
  const megabits = (bytesPerSecond * 8) / 1_000_000;
  return `${megabits >= 100 ? Math.round(megabits) : megabits.toFixed(1)} Mbit/s`;
}

/** Whole days; below ten with one decimal. */
export function daysNumber(days: number): string {
  return days < 10 ? days.toFixed(1) : String(Math.round(days));
}

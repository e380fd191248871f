const UNITS = ['B', 'kB', 'MB', 'GB'] as const;
const STEP = 1_000;

/** `1.4 MB`; '' for none. */
export function bytesText(bytes: number): string {
  if (bytes === 0) return '';
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(STEP)));
  const value = bytes / STEP ** power;
  return `${value >= 100 || power === 0 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}

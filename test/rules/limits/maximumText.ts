// How documents write the maximum of a limit. What a limit counts is in its name.

const BYTES = ['bytes', 'KiB', 'MiB', 'GiB'] as const;
const TIMES = [
  { unit: 'h', ms: 3_600_000 },
  { unit: 'min', ms: 60_000 },
  { unit: 's', ms: 1_000 },
  { unit: 'ms', ms: 1 },
] as const;

/** Loses nothing: a larger unit is taken only where it divides the number. */
export function maximumText(name: string, max: number | undefined): string {
  if (max === undefined) return 'a setting';
  const words = name.split(/[.-]/);
  if (words.includes('mb')) return `${max} MB`;
  if (words.includes('bytes') || words.includes('memory')) return bytesText(max);
  if (words.includes('ms') || words.includes('wait')) return timeText(max);
  if (words.includes('seconds')) return timeText(max * 1_000);
  if (words.includes('percent')) return `${max} %`;
  return max.toLocaleString('en');
}

function bytesText(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= 1_024 && size % 1_024 === 0 && unit < BYTES.length - 1) {
    size /= 1_024;
    unit++;
  }
  return `${size.toLocaleString('en')} ${BYTES[unit]}`;
}

function timeText(ms: number): string {
  const fitting = TIMES.find((time) => ms >= time.ms && ms % time.ms === 0) ?? TIMES[3];
  return `${(ms / fitting.ms).toLocaleString('en')} ${fitting.unit}`;
}

// How the vector files write numbers and times.
export type Fields = Record<string, unknown>;

export const hex = (value: number, digits: number): string => `0x${value.toString(16).padStart(digits, '0')}`;

/** Local time as the wire writes it, worked out without the codec's own functions. */
export function bcd(time: number | undefined, offsetHours = 8): string {
  if (time === undefined) return '000000000000';
  const [date = '', clock = ''] = new Date(time + offsetHours * 3_600_000).toISOString().split('T');
  return date.slice(2).replaceAll('-', '') + clock.slice(0, 8).replaceAll(':', '');
}

// Moments of a recording as people read them: yyyy-MM-dd HH:mm:ss in the browser's zone, in every language.

const pad = (value: number): string => String(value).padStart(2, '0');

export function formatTime(atMs: number): string {
  const date = new Date(atMs);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join(':');
}

export function formatDay(atMs: number): string {
  const date = new Date(atMs);
  return `${String(date.getFullYear()).padStart(4, '0')}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

export function formatDateTime(atMs: number): string {
  return `${formatDay(atMs)} ${formatTime(atMs)}`;
}

/** The browser's zone at that moment, summer time included: `UTC+8`, `UTC-3:30`, `UTC`. */
export function formatZone(atMs: number): string {
  const minutes = -new Date(atMs).getTimezoneOffset();
  if (minutes === 0) return 'UTC';
  const hours = Math.floor(Math.abs(minutes) / 60);
  const rest = Math.abs(minutes) % 60;
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${pad(rest)}`}`;
}

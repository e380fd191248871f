// Days as `YYYY-MM-DD`, in UTC.

/** The day's first millisecond; undefined for what is no day of the calendar. */
export function utcDayMs(day: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  const atMs = Date.parse(`${day}T00:00:00Z`);
  // A day past the month's end would roll over into the next month.
  return Number.isFinite(atMs) && utcDayOf(atMs) === day ? atMs : undefined;
}

export function utcDayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 'yyyy-mm-dd'.length);
}

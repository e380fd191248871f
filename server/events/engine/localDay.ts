/** Zones are those of the devices, and few. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The day of a time as a number, such as 20261123, in a zone by its IANA name; '' or an unknown one: the gateway's own. */
export function localDay(atMs: number, timeZone: string): number {
  const parts = new Map(
    formatFor(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  return (parts.get('year') ?? 0) * 10_000 + (parts.get('month') ?? 0) * 100 + (parts.get('day') ?? 0);
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = createFormat(timeZone);
  formats.set(timeZone, format);
  return format;
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', timeZone === '' ? fields : { ...fields, timeZone });
  } catch {
    return new Intl.DateTimeFormat('en-US', fields);
  }
}

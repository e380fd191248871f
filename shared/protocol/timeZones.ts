/** Asking the platform takes long, and a file of devices asks for one or two zones thousands of times. */
const knownZones = new Set<string>();
const MAX_KNOWN_ZONES = 1_000;

/** Whether it is an IANA name that this system knows; '' stands for a zone that is chosen elsewhere. */
export function isTimeZone(name: string): boolean {
  if (name === '' || knownZones.has(name)) return true;
  // Offsets are no zones: they have no summer time.
  if (/^[+-]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    if (knownZones.size < MAX_KNOWN_ZONES) knownZones.add(name);
    return true;
  } catch {
    return false;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The wall clock of a zone, as if it were UTC. `timeZone`: a known zone; '' for that of this machine. */
export function wallClockMs(atMs: number, timeZone: string): number {
  const offset = offsetIn(Math.floor(atMs / QUARTER_MS), timeZone);
  return offset === undefined ? readClockMs(atMs, timeZone) : atMs + offset;
}

/** The day of a moment as a number, such as 20261123. `timeZone`: as above. */
export function dayNumber(atMs: number, timeZone: string): number {
  const date = new Date(wallClockMs(atMs, timeZone));
  return date.getUTCFullYear() * 10_000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate();
}

const QUARTER_MS = 900_000;
/** Maximum for one zone; a fleet asks for a few hours of some days. */
const MAX_KNOWN_QUARTERS = 4_000;
const knownOffsets = new Map<string, Map<number, number | undefined>>();

/**
 * Milliseconds that a zone is ahead of UTC in a quarter of an hour; undefined where its clock is changed within it, as
 * Newfoundland's was at one minute past midnight. Asking the platform takes twenty times as long as the rest of the work on a zone.
 */
function offsetIn(quarter: number, timeZone: string): number | undefined {
  const ofZone = knownOffsets.get(timeZone) ?? new Map<number, number | undefined>();
  if (ofZone.has(quarter)) return ofZone.get(quarter);
  const [first, last] = [quarter * QUARTER_MS, (quarter + 1) * QUARTER_MS - 1];
  const offset = readClockMs(first, timeZone) - first;
  const isSame = readClockMs(last, timeZone) - last === offset;
  if (ofZone.size >= MAX_KNOWN_QUARTERS) ofZone.clear();
  ofZone.set(quarter, isSame ? offset : undefined);
  if (knownOffsets.size < MAX_KNOWN_ZONES) knownOffsets.set(timeZone, ofZone);
  return isSame ? offset : undefined;
}

function readClockMs(atMs: number, timeZone: string): number {
  const of = partsAt(atMs, timeZone);
  const wholeSeconds = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return wholeSeconds + (((atMs % 1_000) + 1_000) % 1_000);
}

function partsAt(atMs: number, timeZone: string): (part: Intl.DateTimeFormatPartTypes) => number {
  const parts = formatFor(timeZone).formatToParts(atMs);
  const numbers = new Map(parts.map(({ type, value }) => [type, Number(value)]));
  return (part) => numbers.get(part) ?? 0;
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const zone = timeZone === '' ? undefined : timeZone;
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23', timeZone: zone },
  } as Intl.DateTimeFormatOptions);
  if (formats.size < MAX_KNOWN_ZONES) formats.set(timeZone, format);
  return format;
}

const DAY_MS = 86_400_000;

/**
 * When each day of a period begins in a zone, and the end of its last one: the first day is that of `fromMs`, the last one that
 * of the moment before `toMs`. Days are 23 or 25 hours long where the clocks change.
 */
export function dayStarts(fromMs: number, toMs: number, timeZone: string): readonly number[] {
  const first = Math.floor(wallClockMs(fromMs, timeZone) / DAY_MS);
  const starts = [startOfDay(first, timeZone)];
  for (let day = first + 1; ; day++) {
    const startMs = startOfDay(day, timeZone);
    starts.push(startMs);
    if (startMs >= toMs) return starts;
  }
}

/** `day`: days since 1970 on the wall clock. If midnight is skipped, the day begins with its first moment. */
export function startOfDay(day: number, timeZone: string): number {
  return momentOf(day * DAY_MS, timeZone);
}

/**
 * When the wall clock of a zone shows this time. If there are two moments, the first; a time that the start of summer time skips is
 * moved later by as much as the clock is put forward.
 */
export function momentOf(wallMs: number, timeZone: string): number {
  // The zone's distance from UTC a day before and after: one of the two applies then.
  const offsets = [-1, 1].map((side) => wallClockMs(wallMs + side * DAY_MS, timeZone) - (wallMs + side * DAY_MS));
  const candidates = offsets.map((offset) => wallMs - offset).sort((left, right) => left - right);
  return candidates.find((atMs) => wallClockMs(atMs, timeZone) >= wallMs) ?? wallMs;
}

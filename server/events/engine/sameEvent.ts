// Whether a late event is one that is known already: its terminal had no answer, and reported the same once more.

/** What is compared. Times of late events are by the device's clock, of others by the gateway's. */
export interface KnownEvent {
  readonly unit: number;
  readonly area: number;
  readonly beginAtMs: number;
  /** 0 while it lasts. */
  readonly endAtMs: number;
  readonly lastSeenAtMs: number;
  readonly isLate: boolean;
  readonly alarmMark: string;
}

/** Between the device's clock and the gateway's, with the way of a report. */
const SAME_MS = 60_000;
/** Known events that began earlier before a late one are not compared with it: what is told twice is told soon. */
const SAME_WITHIN_MS = 86_400_000;

/** Of the same device and type. Whether the late event began while the known one lasted, or has the same mark of the terminal. */
export function isSameEvent(late: KnownEvent, known: KnownEvent): boolean {
  if (late.unit !== known.unit) return false;
  if (late.alarmMark !== '' && late.alarmMark === known.alarmMark) return true;
  return late.area === known.area && isDuring(known, late.beginAtMs);
}

export function isDuring({ isLate, beginAtMs, endAtMs, lastSeenAtMs }: KnownEvent, atMs: number): boolean {
  const leewayMs = isLate ? 0 : SAME_MS;
  return atMs >= beginAtMs - leewayMs && atMs <= (endAtMs === 0 ? lastSeenAtMs : endAtMs) + leewayMs;
}

/** Between which begins to look for it. */
export function sameEventRange(lateBeginAtMs: number): { readonly fromMs: number; readonly toMs: number } {
  return { fromMs: lateBeginAtMs - SAME_WITHIN_MS, toMs: lateBeginAtMs + SAME_MS };
}

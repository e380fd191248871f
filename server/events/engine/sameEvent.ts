// Whether a late event is known already: its terminal got no answer, and reported the same again.

/** The properties that are compared. Times of late events are by the device's clock, those of others by the gateway's. */
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

/** Tolerance for the difference between the device's clock and the gateway's, and for the travel time of a report. */
const SAME_MS = 60_000;
/** Known events that began longer than this before a late one are not compared with it: repeats come soon. */
const SAME_WITHIN_MS = 86_400_000;

/** Whether the late event began while the known one lasted, or has the terminal's same mark. Both are of the same device and type. */
export function isSameEvent(late: KnownEvent, known: KnownEvent): boolean {
  if (late.unit !== known.unit) return false;
  if (late.alarmMark !== '' && late.alarmMark === known.alarmMark) return true;
  return late.area === known.area && isDuring(known, late.beginAtMs);
}

export function isDuring({ isLate, beginAtMs, endAtMs, lastSeenAtMs }: KnownEvent, atMs: number): boolean {
  const leewayMs = isLate ? 0 : SAME_MS;
  return atMs >= beginAtMs - leewayMs && atMs <= (endAtMs === 0 ? lastSeenAtMs : endAtMs) + leewayMs;
}

/** Range of begins in which to look for the same event. */
export function sameEventRange(lateBeginAtMs: number): { readonly fromMs: number; readonly toMs: number } {
  return { fromMs: lateBeginAtMs - SAME_WITHIN_MS, toMs: lateBeginAtMs + SAME_MS };
}

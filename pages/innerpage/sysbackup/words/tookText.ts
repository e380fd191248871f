import { durationText } from '../../../../shared/ui/events/eventText.ts';

const SECOND_MS = 1_000;

/** How long a backup, a test or a restore took. What was done took a second at least: "0 s" reads as if nothing had been done. */
export function tookText(durationMs: number): string {
  return durationText(Math.max(SECOND_MS, durationMs));
}

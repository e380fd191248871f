import { formatDay } from '../../../../shared/time/format.ts';
import { isZone } from '../../../../shared/time/zones.ts';

const HALF_DAY_MS = 12 * 60 * 60_000;

/** yyyy-MM-dd of a day that the gateway counts from. Without a zone of the rule it is a day of the gateway's own, which its noon tells. */
export function previewDay(fromMs: number, ruleZone: string, userZone: string): string {
  return isZone(ruleZone) ? formatDay(fromMs, ruleZone) : formatDay(fromMs + HALF_DAY_MS, userZone);
}

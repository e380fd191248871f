// The checks of each kind: what needs somebody first, then in the order in which they are looked at. Pure.
import type { HealthCheck } from '../../../../shared/protocol/api/system/health.ts';
import { HEALTH_KINDS, type HealthKind, type HealthState } from '../../../../shared/protocol/health/healthWords.ts';

export interface HealthGroup {
  readonly kind: HealthKind;
  readonly state: HealthState;
  readonly checks: readonly HealthCheck[];
  /** Number of tables left out of `checks`: those without problems, except for the largest. */
  readonly hidden: number;
}

const WORST_FIRST: readonly HealthState[] = ['problem', 'warning', 'unknown', 'ok'];
const SHOWN_TABLES = 8;

/** `showsAll`: kinds whose checks are all shown. */
export function healthGroups(checks: readonly HealthCheck[], showsAll: ReadonlySet<HealthKind>): HealthGroup[] {
  const groups = HEALTH_KINDS.flatMap((kind): HealthGroup[] => {
    const all = checks.filter((check) => check.kind === kind);
    if (all.length === 0) return [];
    const sorted = kind === 'tables' ? all.toSorted((one, other) => sizeOf(other) - sizeOf(one)) : all;
    const isShort = kind === 'tables' && !showsAll.has(kind);
    const shown = isShort ? sorted.filter(({ state }, at) => at < SHOWN_TABLES || state !== 'ok') : sorted;
    const state = WORST_FIRST.find((each) => all.some((check) => check.state === each)) ?? 'ok';
    return [{ kind, state, checks: shown, hidden: all.length - shown.length }];
  });
  return groups.toSorted((one, other) => WORST_FIRST.indexOf(one.state) - WORST_FIRST.indexOf(other.state));
}

/** In bytes, or where the database doesn't tell them in rows. */
function sizeOf({ values }: HealthCheck): number {
  const figureOf = (name: string) => values.find((each) => each.name === name)?.value ?? undefined;
  return figureOf('size') ?? figureOf('rows') ?? 0;
}

// What charts and tables of use are made of. Pure.
import { NETFLOW_KINDS, type NetflowKind } from '../../../../shared/protocol/netflow/netflowWords.ts';

export interface UseStep {
  /** When it begins, which no other step does. */
  readonly atMs: number;
  readonly label: string;
  /** Bytes in the order of NETFLOW_KINDS; empty for none. */
  readonly kinds: readonly number[];
}

export interface UseLookProps {
  readonly steps: readonly UseStep[];
  /** What is shown, for screen readers. */
  readonly label: string;
}

/** Kinds that nothing was used for are left out. */
export function kindsUsed(
  steps: readonly UseStep[],
): readonly { readonly kind: NetflowKind /** In NETFLOW_KINDS. */; readonly at: number }[] {
  return NETFLOW_KINDS.map((kind, at) => ({ kind, at })).filter(({ at }) =>
    steps.some(({ kinds }) => (kinds[at] ?? 0) > 0),
  );
}

export function totalOf(kinds: readonly number[]): number {
  return kinds.reduce((sum, bytes) => sum + bytes, 0);
}

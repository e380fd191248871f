// How far a backup's dry run is, from the gateway's report on dry runs. Pure.
import type { RestorePlan, RestoreState } from '../../../../shared/protocol/api/system/restore.ts';
import type { RestoreFault } from '../../../../shared/protocol/backup/backupWords.ts';

export type DryRunPhase =
  /** The gateway was asked, and has not answered. */
  | { readonly kind: 'asking' }
  | { readonly kind: 'running'; readonly rows: number }
  /** `isWrong`: a key was given, and doesn't fit. */
  | { readonly kind: 'key'; readonly isWrong: boolean }
  | { readonly kind: 'failed'; readonly fault: RestoreFault }
  /** The call itself was refused. */
  | { readonly kind: 'refused'; readonly text: string }
  /** There is one dry run at a time, and the current one is another user's. */
  | { readonly kind: 'replaced' }
  | { readonly kind: 'ready'; readonly plan: RestorePlan };

/** Faults of the file itself, whenever it is read. Other faults may come from a file share that is available only at times. */
const LASTING: ReadonlySet<RestoreFault> = new Set([
  'not-an-archive',
  'newer-format',
  'newer-schema',
  'other-product',
  'unknown-table',
  'too-large',
]);

/** Whether another dry run may have a different result. */
export function canTryAgain(phase: DryRunPhase): boolean {
  return phase.kind !== 'failed' || !LASTING.has(phase.fault);
}

export interface AskedDryRun {
  readonly backup: number;
  /** Whether a key was typed: without one, the key that the installation keeps is tried. */
  readonly hasKey: boolean;
}

export function phaseOf({ dryRun }: Pick<RestoreState, 'dryRun'>, { backup, hasKey }: AskedDryRun): DryRunPhase {
  if (dryRun === null || dryRun.backup !== backup) return { kind: 'replaced' };
  const { state, rows, fault, plan } = dryRun;
  if (state === 'running') return { kind: 'running', rows };
  if (state === 'ready' && plan !== null) return { kind: 'ready', plan };
  if (fault === 'wrong-key' || fault === 'key-needed') return { kind: 'key', isWrong: hasKey };
  return { kind: 'failed', fault };
}

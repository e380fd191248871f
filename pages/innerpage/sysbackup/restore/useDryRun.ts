import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { dropRestorePlan, getRestoreState, planRestore } from '../../../../shared/api/backup/restore.ts';
import type { ApiResult } from '../../../../shared/api/client.ts';
import { refusedFields } from '../../../../shared/api/refusals.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import { listenForBackups } from '../../../../shared/live/liveReloads.ts';
import type { RestoreState } from '../../../../shared/protocol/api/system/restore.ts';
import { type DryRunPhase, phaseOf } from './dryRunPhase.ts';

/** The live topic tells of its end, not of rows. */
const PROGRESS_MS = 2_000;

export interface DryRunControl {
  readonly phase: DryRunPhase;
  /** Starts again. '': with the key that the installation keeps. */
  readonly begin: (key: string) => void;
  /** The dialog is closed: ends or forgets the dry run, but not one of another user. */
  readonly leave: () => void;
}

/** Begins with the key that there is, and says when another is needed. */
export function useDryRun(backup: number): DryRunControl {
  const [phase, setPhase] = useState<DryRunPhase>({ kind: 'asking' });
  const own = useRef({ hasKey: false, isBegun: false, hasLeft: false });
  const take = (state: RestoreState) => {
    const next = phaseOf(state, { backup, hasKey: own.current.hasKey });
    own.current.isBegun = next.kind !== 'replaced';
    return next;
  };
  const begin = async (key: string) => {
    own.current = { ...own.current, hasKey: key !== '', isBegun: false };
    setPhase({ kind: 'asking' });
    const result = await planRestore({ backup, key });
    if (own.current.hasLeft && result.ok) void dropRestorePlan();
    setPhase(result.ok ? take(result.value) : refusal(result, key !== ''));
  };
  const look = async () => {
    const result = await getRestoreState();
    // The answer to a request from before a new start says nothing.
    if (result.ok && own.current.isBegun) setPhase(take(result.value));
  };
  const leave = () => {
    own.current.hasLeft = true;
    if (own.current.isBegun) void dropRestorePlan();
  };
  const beginFirst = useEffectEvent(() => void begin(''));
  const lookNow = useEffectEvent(() => void look());
  useEffect(() => beginFirst(), []);
  const isRunning = phase.kind === 'running';
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => lookNow(), PROGRESS_MS);
    const stopListening = listenForBackups(() => lookNow());
    return () => {
      clearInterval(timer);
      stopListening();
    };
  }, [isRunning]);
  return { phase, begin: (key) => void begin(key), leave };
}

type Refusal = Extract<ApiResult<RestoreState>, { ok: false }>;

function refusal(failure: Refusal, hasKey: boolean): DryRunPhase {
  if (refusedFields(failure).key !== undefined) return { kind: 'key', isWrong: hasKey };
  return { kind: 'refused', text: errorText(failure) ?? '' };
}

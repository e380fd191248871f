import { useEffect } from 'react';
import { getWalls } from '../../../../shared/api/fleet.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import type { Wall } from '../../../../shared/protocol/api/fleet.ts';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';

export interface Walls {
  /** Undefined until they are known. */
  readonly walls: readonly Wall[] | undefined;
  readonly reload: () => void;
}

const RETRY_MS = 15_000;
/** A screen that shows a wall for weeks follows what is changed at a desk. */
const RENEW_MS = 60_000;

/** The user's walls; the same object while they don't change. A screen that starts before its server waits for it. */
export function useWalls(): Walls {
  const {
    value: walls,
    failure,
    reload,
  } = useRecord({
    key: ['walls'],
    load: getWalls,
    everyMs: RENEW_MS,
    retryMs: RETRY_MS,
  });
  const problem = walls === undefined && failure !== undefined ? errorText(failure) : undefined;
  const hasProblem = problem !== undefined;
  // Said once, however often it is tried.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text of the same problem is not said again
  useEffect(() => {
    if (problem !== undefined) notify('error', problem);
  }, [hasProblem]);
  return { walls, reload };
}

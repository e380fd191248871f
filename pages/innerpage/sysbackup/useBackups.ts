import { useEffect, useEffectEvent, useState } from 'react';
import { getBackupPlan, getBackups } from '../../../shared/api/backup/backups.ts';
import { getRestoreState } from '../../../shared/api/backup/restore.ts';
import { listenForBackups } from '../../../shared/live/liveReloads.ts';
import { useRecord } from '../../../shared/ui/records/useRecord.ts';

/** The live topic tells of steps, not of rows. */
const PROGRESS_MS = 2_000;

/** Which backups there are and what runs, the plan, and the last restore; each asked for again when it is another. */
export function useBackups() {
  const [isRunning, setRunning] = useState(false);
  const everyMs = isRunning ? PROGRESS_MS : undefined;
  const list = useRecord({ key: ['backups'], load: getBackups, everyMs });
  const plan = useRecord({ key: ['backup plan'], load: getBackupPlan });
  const restore = useRecord({ key: ['restore'], load: getRestoreState });
  const runs = list.value !== undefined && list.value.running !== null;
  if (runs !== isRunning) setRunning(runs);
  const reload = () => {
    list.reload();
    plan.reload();
    restore.reload();
  };
  useLiveBackups(reload);
  return { list, plan, restore, reload };
}

function useLiveBackups(reload: () => void): void {
  const ask = useEffectEvent(reload);
  useEffect(() => listenForBackups(() => ask()), []);
}

// What the head says of all backups together. Pure.
import type { Backup, BackupList, BackupPlan } from '../../../../shared/protocol/api/system/backups.ts';

export type HeadWarning = 'no-plan' | 'not-encrypted' | 'same-disk';

export function headWarnings(
  { isFolderSet }: Pick<BackupList, 'isFolderSet'>,
  { enabled, encryption }: Pick<BackupPlan, 'enabled' | 'encryption'>,
): readonly HeadWarning[] {
  return [
    ...(enabled ? [] : (['no-plan'] as const)),
    ...(encryption === 'none' ? (['not-encrypted'] as const) : []),
    // Left out by a server that doesn't report it.
    ...(isFolderSet === false ? (['same-disk'] as const) : []),
  ];
}

/** The newest that has ended, well or not. */
export function lastEnded(backups: readonly Backup[]): Backup | undefined {
  return backups.find(({ state }) => state !== 'running');
}

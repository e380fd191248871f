// The last backup, and whether it is known to be of use.
import { checkOf, type HealthSource } from '../healthSource.ts';
import { type BackupFacts, judgeBackup } from '../rules/backupRule.ts';

export function createBackupSource(read: () => Promise<BackupFacts>, now: () => number): HealthSource {
  return { kind: 'backup', read: async () => [checkOf('backup', '', judgeBackup(await read(), now()))] };
}

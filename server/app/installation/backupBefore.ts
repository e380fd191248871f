// A backup of the state that a restore is about to replace, while no gateway runs: among the others, and as the plan has them.
import { createSecretBox, loadOrMakeKey } from '../../auth/secretBox.ts';
import type { WantedBackup } from '../../backup/runner/backupSteps.ts';
import type { BackupThreads } from '../../backup/thread/backupThread.ts';
import type { Config } from '../../config/variables.ts';
import type { OnFault } from '../../faults/onFault.ts';
import { installationPath } from '../../installation.ts';
import { findProjectRoot, readVersion } from '../../process/projectRoot.ts';
import type { DatabaseLocation } from '../../store/engine/database.ts';
import { copyOrdersWhileClosed } from './backupCopies.ts';
import { type BackupStepsParts, createBackupSteps, openBackupFolder } from './backupSteps.ts';

export interface BackupBeforeDeps {
  readonly stores: BackupStepsParts['stores'];
  readonly database: DatabaseLocation;
  readonly threads: BackupThreads;
  readonly now: () => number;
  readonly onFault: OnFault;
}

/** Nobody cancels: without it nothing is restored. */
const RUN = { signal: new AbortController().signal, onProgress: () => undefined, isClosing: () => false };

/** Returns its path. Undefined: there is no backup, and the list of backups says why. */
export async function backUpBefore(
  config: Config,
  wanted: WantedBackup,
  { stores, ...deps }: BackupBeforeDeps,
): Promise<string | undefined> {
  const onLimit = (): void => undefined;
  const folder = openBackupFolder(config);
  const { steps } = createBackupSteps(config, {
    ...{ ...deps, stores, folder, onLimit },
    copies: copyOrdersWhileClosed(config, { stores, onLimit }),
    secretBox: createSecretBox(loadOrMakeKey(installationPath(config, 'sealingKey'))),
    productVersion: readVersion(findProjectRoot()),
    onChanged: () => undefined,
  });
  const begun = await steps.begin(wanted);
  const made = begun && (await steps.write(begun, RUN));
  return made && folder.pathOf(made.file);
}

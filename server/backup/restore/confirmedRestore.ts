// Between a gateway that is asked to restore, and the process that it runs in.
import type { LastRestore } from '../../../shared/protocol/api/system/restore.ts';
import type { ArchiveKey } from '../archive/keys.ts';
import type { RestoreChoices } from './restoreChoices.ts';

export interface ConfirmedRestore {
  readonly file: string;
  /** Of the file. */
  readonly path: string;
  readonly createdAtMs: number;
  readonly key: ArchiveKey;
  readonly choices: RestoreChoices;
  /** User name. */
  readonly by: string;
  /** Of the backup of the present state. */
  readonly note: string;
}

/** What gateways see of it. */
export interface RestoresOfHost {
  /** Of this process. */
  readonly last: LastRestore | undefined;
  /** Ends the gateway that calls it, once the caller has been answered. False while one goes on. */
  begin(restore: ConfirmedRestore, answered: Promise<void>): boolean;
}

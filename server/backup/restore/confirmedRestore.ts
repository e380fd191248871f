// Data between a gateway that is asked to restore, and the process that it runs in.
import type { LastRestore } from '../../../shared/protocol/api/system/restore.ts';
import type { ArchiveKey } from '../archive/keys.ts';
import type { RestoreChoices } from './restoreChoices.ts';

export interface ConfirmedRestore {
  readonly file: string;
  /** Path of the file. */
  readonly path: string;
  readonly createdAtMs: number;
  readonly key: ArchiveKey;
  readonly choices: RestoreChoices;
  /** Username. */
  readonly by: string;
  /** Note of the backup of the present state. */
  readonly note: string;
}

/** The host's restores, as gateways see them. */
export interface RestoresOfHost {
  /** The last restore of this process. */
  readonly last: LastRestore | undefined;
  /** Ends the calling gateway, once the caller has been answered. False while another restore is in progress. */
  begin(restore: ConfirmedRestore, answered: Promise<void>): boolean;
}

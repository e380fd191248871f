// Which key a changed plan has. Pure.
import type { BackupPlanValues } from '../../../shared/protocol/api/system/backups.ts';
import type { KeptPlan } from './planText.ts';

export interface WantedKey {
  readonly values: Pick<BackupPlanValues, 'encryption'>;
  /** Null: the one that there is. */
  readonly passphrase: string | null;
  readonly newRecoveryKey: boolean;
}

/** Whether the backups after the change are encrypted otherwise than those before it. */
export function changesKey({ values, sealedKey }: Pick<KeptPlan, 'values' | 'sealedKey'>, wanted: WantedKey): boolean {
  if (values.encryption !== wanted.values.encryption) return true;
  switch (values.encryption) {
    case 'none':
      return false;
    case 'passphrase':
      return sealedKey === '' || wanted.passphrase !== null;
    case 'recovery-key':
      return sealedKey === '' || wanted.newRecoveryKey;
  }
}

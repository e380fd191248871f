// Determines the key of a changed plan. Pure.
import type { BackupPlanValues } from '../../../shared/protocol/api/system/backups.ts';
import type { KeptPlan } from './planText.ts';

export interface WantedKey {
  readonly values: Pick<BackupPlanValues, 'encryption'>;
  /** Null: the present one. */
  readonly passphrase: string | null;
  readonly newRecoveryKey: boolean;
}

/** Whether backups have another encryption or key after the change than before it. */
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

// The plan in the form in which the table of settings stores it. Pure.
import { Check } from 'typebox/value';
import { BackupPlanValues } from '../../../shared/protocol/api/system/backups.ts';
import { BACKUP_FILES, BACKUP_HISTORY } from '../../../shared/protocol/backup/backupWords.ts';
import type { When } from '../../../shared/protocol/nextRun.ts';

export interface KeptPlan {
  readonly version: number;
  readonly values: BackupPlanValues;
  /** The passphrase, or the recovery key in its written form, sealed; '' for none. */
  readonly sealedKey: string;
  /** 0: never. */
  readonly changedAtMs: number;
}

/** The plan of an installation without a decision: no backup is made, since nobody has chosen its key. */
export const FIRST_PLAN: KeptPlan = {
  version: 1,
  values: {
    enabled: false,
    every: 'daily',
    weekday: 1,
    minuteOfDay: 120,
    timeZone: 'UTC',
    keepDays: 7,
    keepWeeks: 4,
    keepMonths: 12,
    history: [...BACKUP_HISTORY],
    files: [...BACKUP_FILES],
    encryption: 'none',
  },
  sealedKey: '',
  changedAtMs: 0,
};

export function writePlan({ version, values, sealedKey, changedAtMs }: KeptPlan): string {
  return JSON.stringify({ version, sealedKey, changedAtMs, values });
}

/** Undefined for a text that no gateway of this version has written. */
export function readPlan(text: string): KeptPlan | undefined {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof found !== 'object' || found === null) return undefined;
  const { version, values, sealedKey, changedAtMs } = found as Record<string, unknown>;
  if (typeof version !== 'number' || typeof sealedKey !== 'string' || typeof changedAtMs !== 'number') return undefined;
  return Check(BackupPlanValues, values) ? { version, values, sealedKey, changedAtMs } : undefined;
}

export function whenOf({ every, weekday, minuteOfDay }: BackupPlanValues): When {
  return { every, weekday, minuteOfDay, monthDay: 1 };
}

// The form of the plan as data. Pure.
import { proofBody } from '../../../../shared/api/accounts/account.ts';
import {
  type BackupPlan,
  type ChangedBackupPlan,
  MAX_KEPT,
  MAX_PASSPHRASE,
  MIN_PASSPHRASE,
} from '../../../../shared/protocol/api/system/backups.ts';
import type {
  BackupEncryption,
  BackupFiles,
  BackupHistory,
  BackupStep,
} from '../../../../shared/protocol/backup/backupWords.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';
import { clockOf, minuteOf } from '../../../../shared/ui/schedule/clock.ts';

export interface PlanDraft {
  readonly enabled: boolean;
  readonly every: BackupStep;
  /** 1 Monday to 7 Sunday. */
  readonly weekday: string;
  /** `HH:mm`. */
  readonly time: string;
  readonly timeZone: string;
  readonly keepDays: number | null;
  readonly keepWeeks: number | null;
  readonly keepMonths: number | null;
  readonly history: readonly BackupHistory[];
  readonly files: readonly BackupFiles[];
  readonly encryption: BackupEncryption;
  /** '' keeps the existing one. */
  readonly passphrase: string;
  readonly passphraseAgain: string;
  readonly newRecoveryKey: boolean;
  /** The password of the member who changes the key. */
  readonly password: string;
  /** A code of the member's second factor; '' without one. */
  readonly code: string;
}

export function draftOfPlan(plan: BackupPlan): PlanDraft {
  const { version: _, hasKey: __, nextRunAtMs: ___, minuteOfDay, weekday, ...same } = plan;
  return {
    ...same,
    weekday: String(weekday),
    time: clockOf(minuteOfDay),
    passphrase: '',
    passphraseAgain: '',
    newRecoveryKey: false,
    password: '',
    code: '',
  };
}

/** The change for a draft in which `checkPlan` finds no problem. */
export function changeOfDraft(draft: PlanDraft, plan: BackupPlan): ChangedBackupPlan {
  const { weekday, time, passphrase, passphraseAgain: _, newRecoveryKey, password, code, ...same } = draft;
  return {
    ...same,
    ...(changesKey(plan, draft) ? proofBody({ password, code: code.trim() }) : {}),
    version: plan.version,
    weekday: Number(weekday),
    minuteOfDay: minuteOf(time) ?? 0,
    keepDays: draft.keepDays ?? 1,
    keepWeeks: draft.keepWeeks ?? 0,
    keepMonths: draft.keepMonths ?? 0,
    history: [...draft.history],
    files: [...draft.files],
    passphrase: draft.encryption === 'passphrase' && passphrase !== '' ? passphrase : null,
    newRecoveryKey: draft.encryption === 'recovery-key' && newRecoveryKey,
  };
}

/** Whether the existing key can be kept. */
export function keepsKey({ encryption, hasKey }: BackupPlan, draft: Pick<PlanDraft, 'encryption'>): boolean {
  return hasKey && encryption === draft.encryption;
}

/** Whether the draft encrypts backups differently from the plan, which requires a proof. */
export function changesKey(
  plan: BackupPlan,
  draft: Pick<PlanDraft, 'encryption' | 'passphrase' | 'newRecoveryKey'>,
): boolean {
  switch (draft.encryption) {
    case 'none':
      return plan.encryption !== 'none';
    case 'passphrase':
      return !keepsKey(plan, draft) || draft.passphrase !== '';
    case 'recovery-key':
      return !keepsKey(plan, draft) || draft.newRecoveryKey;
  }
}

export interface PlanTexts {
  readonly noTime: string;
  readonly noZone: string;
  readonly badDays: string;
  readonly badNumber: string;
  readonly badPassphrase: string;
  readonly otherPassphrase: string;
  readonly noPassword: string;
}

const END_OF_DAY = 1_440;

export function checkPlan(draft: PlanDraft, plan: BackupPlan, texts: PlanTexts): Problems<PlanDraft> {
  const minute = minuteOf(draft.time);
  return {
    time: minute === undefined || minute === END_OF_DAY ? texts.noTime : undefined,
    timeZone: draft.timeZone === '' ? texts.noZone : undefined,
    keepDays: isWhole(draft.keepDays, 1) ? undefined : texts.badDays,
    keepWeeks: isWhole(draft.keepWeeks, 0) ? undefined : texts.badNumber,
    keepMonths: isWhole(draft.keepMonths, 0) ? undefined : texts.badNumber,
    password: changesKey(plan, draft) && draft.password === '' ? texts.noPassword : undefined,
    ...(draft.encryption === 'passphrase' ? passphraseProblems(draft, keepsKey(plan, draft), texts) : {}),
  };
}

function passphraseProblems(
  { passphrase, passphraseAgain }: PlanDraft,
  hasOne: boolean,
  texts: PlanTexts,
): Problems<PlanDraft> {
  const isKept = hasOne && passphrase === '' && passphraseAgain === '';
  const fits = passphrase.length >= MIN_PASSPHRASE && passphrase.length <= MAX_PASSPHRASE;
  return {
    passphrase: isKept || fits ? undefined : texts.badPassphrase,
    passphraseAgain: passphrase === passphraseAgain ? undefined : texts.otherPassphrase,
  };
}

function isWhole(value: number | null, least: number): boolean {
  return value !== null && Number.isInteger(value) && value >= least && value <= MAX_KEPT;
}

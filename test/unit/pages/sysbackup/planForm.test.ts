import { describe, expect, it } from 'vitest';
import {
  changeOfDraft,
  checkPlan,
  draftOfPlan,
  type PlanDraft,
} from '../../../../pages/innerpage/sysbackup/plan/planForm.ts';
import type { BackupPlan } from '../../../../shared/protocol/api/system/backups.ts';
import { aBackupPlan } from '../../../support/backup/backupRecords.ts';

const TEXTS = {
  noTime: 'time',
  noZone: 'zone',
  badDays: 'days',
  badNumber: 'number',
  badPassphrase: 'length',
  otherPassphrase: 'other',
};
const PHRASE = 'a long passphrase';

/** What is wrong, by field. */
function problems(change: Partial<PlanDraft>, plan: BackupPlan = aBackupPlan()) {
  const found = checkPlan({ ...draftOfPlan(plan), ...change }, plan, TEXTS);
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined));
}

describe('the plan of backups as a form', () => {
  it('saves what it shows, and keeps the key unless another is typed', () => {
    const { hasKey: _, nextRunAtMs: __, ...values } = aBackupPlan({ every: 'weekly', weekday: 5, minuteOfDay: 1_439 });
    const draft = draftOfPlan({ ...values, hasKey: true, nextRunAtMs: aBackupPlan().nextRunAtMs });
    expect(changeOfDraft(draft, 3)).toEqual({ ...values, passphrase: null, newRecoveryKey: false });
    expect(changeOfDraft({ ...draft, passphrase: PHRASE }, 3).passphrase).toBe(PHRASE);
  });

  it('sends no passphrase that was typed before another kind of encryption was selected', () => {
    const draft = { ...draftOfPlan(aBackupPlan()), passphrase: PHRASE, newRecoveryKey: true };
    expect(changeOfDraft({ ...draft, encryption: 'recovery-key' }, 3)).toMatchObject({
      passphrase: null,
      newRecoveryKey: true,
    });
    expect(changeOfDraft({ ...draft, encryption: 'none' }, 3)).toMatchObject({
      passphrase: null,
      newRecoveryKey: false,
    });
  });

  it('takes times of the day and whole numbers', () => {
    expect(problems({})).toEqual({});
    for (const time of ['24:00', '2:30', '', '12:60']) expect(problems({ time })).toEqual({ time: 'time' });
    for (const keepDays of [0, 1.5, 1_001, null, Number.NaN])
      expect(problems({ keepDays })).toEqual({ keepDays: 'days' });
    expect(problems({ keepWeeks: 0, keepMonths: 1_000 })).toEqual({});
    expect(problems({ keepWeeks: -1, timeZone: '' })).toEqual({ keepWeeks: 'number', timeZone: 'zone' });
  });

  it('asks for a passphrase twice where there is none that can go on', () => {
    const plain = aBackupPlan({ encryption: 'none', hasKey: false });
    const encryption = 'passphrase';
    expect(problems({ encryption }, plain)).toEqual({ passphrase: 'length' });
    expect(problems({ encryption, passphrase: PHRASE, passphraseAgain: PHRASE }, plain)).toEqual({});
    expect(problems({ encryption, passphrase: PHRASE }, plain)).toEqual({ passphraseAgain: 'other' });
    expect(problems({ passphrase: 'short', passphraseAgain: 'short' })).toEqual({ passphrase: 'length' });
    const long = 'x'.repeat(201);
    expect(problems({ passphrase: long, passphraseAgain: long })).toEqual({ passphrase: 'length' });
    expect(problems({ encryption }, aBackupPlan({ encryption: 'recovery-key' }))).toEqual({ passphrase: 'length' });
    expect(problems({ encryption: 'none', passphrase: 'short' })).toEqual({});
  });
});

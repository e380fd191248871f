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
  noPassword: 'password',
};
const PHRASE = 'a long passphrase';

/** What is wrong, by field. */
function problems(change: Partial<PlanDraft>, plan: BackupPlan = aBackupPlan()) {
  const found = checkPlan({ ...draftOfPlan(plan), ...change }, plan, TEXTS);
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem !== undefined));
}

describe('the plan of backups as a form', () => {
  it('saves what it shows, and keeps the key unless another is typed', () => {
    const plan = aBackupPlan({ every: 'weekly', weekday: 5, minuteOfDay: 1_439 });
    const { hasKey: _, nextRunAtMs: __, ...values } = plan;
    const draft = draftOfPlan(plan);
    expect(changeOfDraft(draft, plan)).toEqual({ ...values, passphrase: null, newRecoveryKey: false });
    expect(changeOfDraft({ ...draft, passphrase: PHRASE }, plan).passphrase).toBe(PHRASE);
  });

  it('sends no passphrase that was typed before another kind of encryption was selected', () => {
    const draft = { ...draftOfPlan(aBackupPlan()), passphrase: PHRASE, newRecoveryKey: true };
    expect(changeOfDraft({ ...draft, encryption: 'recovery-key' }, aBackupPlan())).toMatchObject({
      passphrase: null,
      newRecoveryKey: true,
    });
    expect(changeOfDraft({ ...draft, encryption: 'none' }, aBackupPlan())).toMatchObject({
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
    const password = 'my own';
    expect(problems({ encryption, password }, plain)).toEqual({ passphrase: 'length' });
    expect(problems({ encryption, password, passphrase: PHRASE, passphraseAgain: PHRASE }, plain)).toEqual({});
    expect(problems({ encryption, password, passphrase: PHRASE }, plain)).toEqual({ passphraseAgain: 'other' });
    expect(problems({ password, passphrase: 'short', passphraseAgain: 'short' })).toEqual({ passphrase: 'length' });
    const long = 'x'.repeat(201);
    expect(problems({ password, passphrase: long, passphraseAgain: long })).toEqual({ passphrase: 'length' });
    expect(problems({ encryption, password }, aBackupPlan({ encryption: 'recovery-key' }))).toEqual({
      passphrase: 'length',
    });
    expect(problems({ encryption: 'none', password, passphrase: 'short' })).toEqual({});
  });

  it('asks for a proof where the encryption or the key changes, and sends one only then', () => {
    const byPhrase = aBackupPlan({ encryption: 'passphrase', hasKey: true });
    const byKey = aBackupPlan({ encryption: 'recovery-key', hasKey: true });
    const changes: readonly (readonly [BackupPlan, Partial<PlanDraft>])[] = [
      [byPhrase, { encryption: 'none' }],
      [byPhrase, { passphrase: PHRASE, passphraseAgain: PHRASE }],
      [byPhrase, { encryption: 'recovery-key' }],
      [byKey, { newRecoveryKey: true }],
      [aBackupPlan({ encryption: 'none', hasKey: false }), { encryption: 'recovery-key' }],
    ];
    for (const [plan, change] of changes) {
      expect(problems(change, plan)).toEqual({ password: 'password' });
      const draft = { ...draftOfPlan(plan), ...change, password: 'mine', code: ' 123456 ' };
      expect(changeOfDraft(draft, plan)).toMatchObject({ password: 'mine', code: '123456' });
    }
    const same = { ...draftOfPlan(byPhrase), password: 'mine', keepDays: 9 };
    expect(changeOfDraft(same, byPhrase)).not.toHaveProperty('password');
    expect(changeOfDraft({ ...same, encryption: 'none' }, byPhrase)).not.toHaveProperty('code');
  });
});

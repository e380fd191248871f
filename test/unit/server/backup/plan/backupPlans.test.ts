import { describe, expect, it } from 'vitest';
import { createKey, createSecretBox } from '../../../../../server/auth/secretBox.ts';
import { readRecoveryKey } from '../../../../../server/backup/archive/recoveryKey.ts';
import { BackupPlans, type PlanChange } from '../../../../../server/backup/plan/backupPlans.ts';
import { FIRST_PLAN } from '../../../../../server/backup/plan/planText.ts';
import { fakeSettings } from '../../../../support/backup/fakeSettings.ts';

const TWO = Date.UTC(2026, 10, 27, 2);
const DAY_MS = 86_400_000;
const PASSPHRASE = 'a long enough passphrase';

function open() {
  const clock = { ms: TWO - 1_000 };
  const { stored, settings } = fakeSettings();
  const box = createSecretBox(createKey());
  return { clock, stored, settings, box, plans: new BackupPlans({ settings, box, now: () => clock.ms }) };
}

type Changes = Omit<Partial<PlanChange>, 'values'> & { readonly values?: Partial<PlanChange['values']> };

function change(changes: Changes = {}): PlanChange {
  const { values, ...rest } = changes;
  return {
    ...{ version: 1, passphrase: null, newRecoveryKey: false },
    ...rest,
    values: { ...FIRST_PLAN.values, enabled: true, ...values },
  };
}

describe('the plan of backups', () => {
  it('makes none before somebody has decided', async () => {
    const { plans } = open();
    expect(await plans.read()).toEqual(FIRST_PLAN);
    expect(await plans.takeDue()).toBe(false);
    expect(await plans.nextRunAtMs()).toBe(0);
  });

  it('is changed on the version that was seen', async () => {
    const { plans } = open();
    expect(await plans.change(change())).toMatchObject({ ok: true, value: { after: { version: 2 } } });
    expect(await plans.change(change())).toEqual({ ok: false, reason: 'conflict' });
    expect(await plans.change(change({ version: 2 }))).toMatchObject({ ok: true });
  });

  it('is changed by one of two who change it at once', async () => {
    const { plans } = open();
    const done = await Promise.all([plans.change(change()), plans.change(change())]);
    expect(done.filter(({ ok }) => ok)).toHaveLength(1);
  });

  it('keeps a passphrase sealed, also through changes that don’t name it', async () => {
    const { plans, stored } = open();
    const values = { encryption: 'passphrase' } as const;
    expect(await plans.change(change({ values }))).toEqual({ ok: false, reason: 'key-missing' });
    await plans.change(change({ values, passphrase: PASSPHRASE }));
    await plans.change(change({ version: 2, values }));
    expect(plans.keyOf(await plans.read())).toEqual({ kind: 'passphrase', passphrase: PASSPHRASE });
    expect([...stored.values()].join()).not.toContain(PASSPHRASE);
  });

  it('shows a recovery key once, and makes another when asked', async () => {
    const { plans, stored } = open();
    const values = { encryption: 'recovery-key' } as const;
    const first = await plans.change(change({ values }));
    const shown = first.ok ? first.value.recoveryKey : '';
    expect(plans.keyOf(await plans.read())).toEqual({ kind: 'recovery-key', key: readRecoveryKey(shown) });
    expect([...stored.values()].join()).not.toContain(shown);
    expect(await plans.change(change({ version: 2, values }))).toMatchObject({ ok: true, value: { recoveryKey: '' } });
    const second = await plans.change(change({ version: 3, values, newRecoveryKey: true }));
    expect(second.ok ? second.value.recoveryKey : shown).not.toBe(shown);
  });

  it('says that a key doesn’t open any more', async () => {
    const { plans, settings, clock } = open();
    await plans.change(change({ values: { encryption: 'passphrase' }, passphrase: PASSPHRASE }));
    const others = new BackupPlans({ settings, box: createSecretBox(createKey()), now: () => clock.ms });
    expect(others.keyOf(await others.read())).toBeUndefined();
  });

  it('is due once for each run, also where several look', async () => {
    const { plans, clock } = open();
    await plans.change(change());
    expect(await plans.takeDue()).toBe(false);
    expect(await plans.nextRunAtMs()).toBe(TWO);
    clock.ms = TWO;
    expect((await Promise.all([plans.takeDue(), plans.takeDue()])).filter(Boolean)).toHaveLength(1);
    expect(await plans.takeDue()).toBe(false);
    expect(await plans.nextRunAtMs()).toBe(TWO + DAY_MS);
  });

  it('does not make up for a time before it was changed', async () => {
    const { plans, clock } = open();
    await plans.change(change());
    await plans.takeDue();
    clock.ms = TWO + 1;
    await plans.change(change({ version: 2 }));
    expect(await plans.takeDue()).toBe(false);
  });
});

// The plan of backups: their contents, their times, which of them stay, and their key.
import { randomBytes } from 'node:crypto';
import type { BackupPlanValues } from '../../../shared/protocol/api/system/backups.ts';
import { SECRET_SETTINGS } from '../../installation.ts';
import type { Outcome } from '../../store/outcome.ts';
import type { SettingStore } from '../../store/system/settings.ts';
import type { ArchiveKey } from '../archive/keys.ts';
import { readRecoveryKey, writeRecoveryKey } from '../archive/recoveryKey.ts';
import { dueRun } from './dueRun.ts';
import { FIRST_PLAN, type KeptPlan, readPlan, whenOf, writePlan } from './planText.ts';

/** `context` binds the text to its owner: it doesn't open elsewhere. */
export interface Sealing {
  seal(text: string, context: string): string;
  open(sealed: string, context: string): string | undefined;
}

export interface BackupPlansDeps {
  readonly settings: Pick<SettingStore, 'get' | 'set' | 'setOnce' | 'replace'>;
  readonly box: Sealing;
  readonly now: () => number;
}

export interface PlanChange {
  /** The version on which the change is based. */
  readonly version: number;
  readonly values: BackupPlanValues;
  /** Null: the present one. */
  readonly passphrase: string | null;
  readonly newRecoveryKey: boolean;
}

export interface ChangedPlan {
  readonly before: KeptPlan;
  readonly after: KeptPlan;
  /** The new recovery key in its written form; '' where none was made. */
  readonly recoveryKey: string;
}

const PLAN = SECRET_SETTINGS.backupPlan.name;
const CONTEXT = 'backup plan';
/** Milliseconds of the next run: stored, so that a missed run is made up for, and none is made twice. */
const DUE = 'backup.due';
const KEY_BYTES = 32;

export class BackupPlans {
  readonly #deps: BackupPlansDeps;

  constructor(deps: BackupPlansDeps) {
    this.#deps = deps;
  }

  async read(): Promise<KeptPlan> {
    const text = await this.#deps.settings.get(PLAN);
    return (text === undefined ? undefined : readPlan(text)) ?? FIRST_PLAN;
  }

  /** The key of the next backup. Undefined: there should be one, but it doesn't open, for example after the key file was replaced. */
  keyOf({ values, sealedKey }: KeptPlan): ArchiveKey | undefined {
    if (values.encryption === 'none') return { kind: 'none' };
    const text = this.#deps.box.open(sealedKey, CONTEXT);
    return text === undefined ? undefined : keyFrom(values.encryption, text);
  }

  /** Text to be sealed with a backup that is made with the key; '' for none. */
  keyTextOf({ values, sealedKey }: KeptPlan): string {
    return values.encryption === 'none' ? '' : (this.#deps.box.open(sealedKey, CONTEXT) ?? '');
  }

  /** 0: turned off. */
  async nextRunAtMs(): Promise<number> {
    const { values } = await this.read();
    if (!values.enabled) return 0;
    const kept = { dueAtMs: await this.#dueAtMs(), nowMs: this.#deps.now() };
    return kept.dueAtMs === 0 ? dueRun(whenOf(values), values.timeZone, kept).dueAtMs : kept.dueAtMs;
  }

  async change({ version, values, ...keys }: PlanChange): Promise<Outcome<ChangedPlan, 'conflict' | 'key-missing'>> {
    const { settings, now } = this.#deps;
    const held = await settings.setOnce(PLAN, writePlan(FIRST_PLAN));
    const before = readPlan(held) ?? FIRST_PLAN;
    if (before.version !== version) return { ok: false, reason: 'conflict' };
    const key = this.#keyFor(values, before, keys);
    if (key === undefined) return { ok: false, reason: 'key-missing' };
    const after: KeptPlan = { version: version + 1, values, sealedKey: key.sealed, changedAtMs: now() };
    if (!(await settings.replace(PLAN, held, writePlan(after)))) return { ok: false, reason: 'conflict' };
    // The next check of the schedule sets the time again: a run at the old time is not made up for.
    await settings.set(DUE, '0');
    return { ok: true, value: { before, after, recoveryKey: key.recoveryKey } };
  }

  /** Whether a backup is due; true once for each run, also where several gateways look. */
  async takeDue(): Promise<boolean> {
    const { settings, now } = this.#deps;
    const { values } = await this.read();
    if (!values.enabled) return false;
    const held = await settings.setOnce(DUE, '0');
    const { isDue, dueAtMs } = dueRun(whenOf(values), values.timeZone, { dueAtMs: Number(held), nowMs: now() });
    if (String(dueAtMs) === held) return false;
    return (await settings.replace(DUE, held, String(dueAtMs))) && isDue;
  }

  async #dueAtMs(): Promise<number> {
    return Number((await this.#deps.settings.get(DUE)) ?? 0);
  }

  #keyFor(
    { encryption }: BackupPlanValues,
    { values, sealedKey }: KeptPlan,
    { passphrase, newRecoveryKey }: Pick<PlanChange, 'passphrase' | 'newRecoveryKey'>,
  ): { readonly sealed: string; readonly recoveryKey: string } | undefined {
    const { box } = this.#deps;
    const hasOne = values.encryption === encryption && sealedKey !== '';
    if (encryption === 'none') return { sealed: '', recoveryKey: '' };
    if (encryption === 'passphrase') {
      if (passphrase !== null) return { sealed: box.seal(passphrase, CONTEXT), recoveryKey: '' };
      return hasOne ? { sealed: sealedKey, recoveryKey: '' } : undefined;
    }
    if (hasOne && !newRecoveryKey) return { sealed: sealedKey, recoveryKey: '' };
    const recoveryKey = writeRecoveryKey(randomBytes(KEY_BYTES));
    return { sealed: box.seal(recoveryKey, CONTEXT), recoveryKey };
  }
}

/** `text`: a passphrase, or a recovery key in its written form. */
export function keyFrom(encryption: 'passphrase' | 'recovery-key', text: string): ArchiveKey | undefined {
  if (encryption === 'passphrase') return { kind: 'passphrase', passphrase: text };
  const key = readRecoveryKey(text);
  return key === undefined ? undefined : { kind: 'recovery-key', key };
}

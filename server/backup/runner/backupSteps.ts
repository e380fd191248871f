// The steps of a backup, each recorded in the list.
import type { BackupFault } from '../../../shared/protocol/backup/backupWords.ts';
import type { OnFault } from '../../faults/onFault.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { DatabaseLocation } from '../../store/engine/database.ts';
import type { StoredBackup } from '../../store/system/backupRows.ts';
import type { BackupStore } from '../../store/system/backups.ts';
import type { SourceFile } from '../archive/bodyWriter.ts';
import type { KeptFree } from '../archive/keptFree.ts';
import type { ArchiveKey } from '../archive/keys.ts';
import { MAX_LOG_BYTES, type Written } from '../archive/writeArchive.ts';
import type { CopyOrders } from '../copy/copyOrders.ts';
import type { WantedFiles } from '../files/sourceFiles.ts';
import type { BackupPlans, Sealing } from '../plan/backupPlans.ts';
import type { BackupRunOptions, BackupThreads } from '../thread/backupThread.ts';
import type { BackupAudit } from './backupAudit.ts';
import type { BackupFolder } from './backupFolder.ts';
import { sealedFor, sealedKeyOf } from './sealedKeys.ts';
import { type TestOutcome, testRestore } from './testRestore.ts';

export interface BackupStepsDeps {
  readonly store: BackupStore;
  readonly plans: Pick<BackupPlans, 'read' | 'keyOf' | 'keyTextOf'>;
  readonly box: Sealing;
  readonly threads: Pick<BackupThreads, 'write' | 'load' | 'survey'>;
  readonly folder: BackupFolder;
  readonly keptFree: KeptFree;
  /** Whether no other gateway works on the same database. */
  readonly isAlone: () => Promise<boolean>;
  readonly copies: CopyOrders;
  readonly audit: BackupAudit;
  readonly database: DatabaseLocation;
  readonly productVersion: string;
  readonly sourceFiles: (wanted: WantedFiles) => Promise<readonly SourceFile[]>;
  readonly tryReads: (file: string) => Promise<void>;
  readonly now: () => number;
  /** Clock for durations, which nobody sets. */
  readonly monotonicMs: () => number;
  /** Called when the list or the running work has changed. */
  readonly onChanged: () => void;
  readonly onLimit: OnLimit;
  readonly onFault: OnFault;
}

export interface StepOptions extends BackupRunOptions {
  /** Whether the gateway is ending: work that this cancels counts as interrupted, which the next start notes. */
  readonly isClosing: () => boolean;
}

export interface WantedBackup {
  /** Username; '' for the schedule. */
  readonly madeBy: string;
  readonly note: string;
  /** Address from which a member asked for it, for the audit. */
  readonly address?: string;
}

export interface BegunBackup {
  readonly backup: StoredBackup;
  readonly key: ArchiveKey;
}

type Failure = Exclude<TestOutcome, { readonly ok: true }>;

export class BackupSteps {
  readonly deps: BackupStepsDeps;

  constructor(deps: BackupStepsDeps) {
    this.deps = deps;
  }

  /** Undefined: the plan's key doesn't open; the list shows this. */
  async begin({ madeBy, note, address }: WantedBackup): Promise<BegunBackup | undefined> {
    const { store, plans, box, folder, audit, database, productVersion, now } = this.deps;
    const plan = await plans.read();
    const atMs = now();
    const file = folder.newName(atMs);
    const { history, files, encryption } = plan.values;
    const backup = await store.insert({
      ...{ file, atMs, madeBy, note, productVersion, history, files, encryption },
      isManual: madeBy !== '',
      isUploaded: false,
      engine: database.engine,
      sealedKey: sealedFor(file, plans.keyTextOf(plan), box),
    });
    const key = plans.keyOf(plan);
    if (key !== undefined) {
      await audit.begun({ file, madeBy, note, address });
      return { backup, key };
    }
    await store.end(backup.id, { state: 'failed', fault: 'wrong-key', detail: 'the key of the plan', atMs });
    return undefined;
  }

  /** Undefined: there is no backup, and the list shows why. */
  async write(begun: BegunBackup, options: StepOptions): Promise<StoredBackup | undefined> {
    const { store, now } = this.deps;
    const { id } = begun.backup;
    const written = await this.#written(begun, options);
    if (!written.ok) {
      if (options.isClosing()) return undefined;
      const { fault, detail } = written;
      await store.end(id, { state: fault === 'canceled' ? 'canceled' : 'failed', fault, detail, atMs: now() });
      return undefined;
    }
    const { manifest, bytes, sha256 } = written;
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    const archive = { bytes, rows, sha256, schemaVersion: manifest.schemaVersion };
    await store.end(id, { state: 'done', fault: '', detail: '', atMs: now(), archive });
    return store.find(id);
  }

  /** `key` undefined: it isn't here, or doesn't open. */
  async test(backup: StoredBackup, key: ArchiveKey | undefined, options: StepOptions): Promise<void> {
    const { store, copies, audit, now, monotonicMs } = this.deps;
    if (!(await store.beginTest(backup.id))) return;
    const begunAtMs = monotonicMs();
    const outcome = await this.#tested(backup, key, options);
    if (options.isClosing()) return;
    if (!outcome.ok && outcome.fault === 'canceled') return store.dropTest(backup.id);
    if (outcome.ok && backup.isUploaded) await store.learn(backup.id, outcome.contents);
    const result = outcome.ok
      ? ({ state: 'passed', fault: '', detail: '' } as const)
      : ({ state: 'failed', fault: outcome.fault, detail: outcome.detail } as const);
    const ended = { ...result, atMs: now(), durationMs: monotonicMs() - begunAtMs };
    await store.endTest(backup.id, ended);
    await audit.tested(backup.file, ended);
    // A backup that can't be restored here can't be restored from its copy either.
    if (outcome.ok) await copies.want(backup.id);
  }

  async #written({ backup, key }: BegunBackup, options: BackupRunOptions): Promise<Written | Failure> {
    const { threads, folder, keptFree, database, productVersion, sourceFiles } = this.deps;
    if (!(await folder.isUsable())) return { ok: false, fault: 'folder-missing', detail: folder.path };
    return this.caught(async () => {
      const { file, note, history, createdAtMs } = backup;
      const files = await sourceFiles({ files: backup.files, isEncrypted: backup.encryption !== 'none' });
      const path = folder.pathOf(file);
      const contents = { productVersion, createdAtMs, note, history, files, key };
      return threads.write({ database, path, ...contents, keptFree, maxLogBytes: MAX_LOG_BYTES }, options);
    });
  }

  async #tested(
    { file, rows }: StoredBackup,
    key: ArchiveKey | undefined,
    options: BackupRunOptions,
  ): Promise<TestOutcome> {
    if (key === undefined) return { ok: false, fault: 'wrong-key', detail: 'no key' };
    const known = rows === 0 ? undefined : rows;
    return this.caught(() => testRestore(this.deps, { file, key, rows: known }, options));
  }

  /** The key that it was made with, which the plan may no longer have. Undefined: it isn't here, or doesn't open. */
  keyOf(backup: StoredBackup): ArchiveKey | undefined {
    return sealedKeyOf(backup, this.deps.box);
  }

  /** Catches faults that are not the archive's: of the folder, the disk, the database, or internal ones. */
  async caught<Success>(work: () => Promise<Success>): Promise<Success | Failure> {
    const { folder, onFault } = this.deps;
    try {
      return await work();
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error));
      const fault: Exclude<BackupFault, ''> = (await folder.isUsable()) ? 'internal' : 'folder-missing';
      onFault(new Error('a backup failed', { cause }));
      return { ok: false, fault, detail: cause.message };
    }
  }
}

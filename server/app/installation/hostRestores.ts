// Restores of an installation by the process that serves it: they run between two gateways, and the second one reports them.

import type { AuditAction } from '../../../shared/protocol/api/auditWords.ts';
import type { LastRestore } from '../../../shared/protocol/api/system/restore.ts';
import type { RestoreFault } from '../../../shared/protocol/backup/backupWords.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { ConfirmedRestore, RestoresOfHost } from '../../backup/restore/confirmedRestore.ts';
import { liveGateways } from '../../backup/restore/liveGateways.ts';
import type { Installation } from '../../backup/restore/restoration.ts';
import { type Restored, type RestoreFailure, restoreInstallation } from '../../backup/restore/restoreInstallation.ts';
import type { BackupThreads } from '../../backup/thread/backupThread.ts';
import type { Config } from '../../config/variables.ts';
import { inBackground } from '../../faults/background.ts';
import type { Log } from '../../process/log.ts';
import { openDatabase } from '../../store/engine/database.ts';
import { createStores, type Stores } from '../../store/stores.ts';
import { backUpBefore } from './backupBefore.ts';
import { keptFree } from './backupSteps.ts';
import type { Restarting } from './restart.ts';

export interface HostRestoresDeps {
  readonly host: () => Restarting;
  readonly installation: Installation;
  readonly threads: BackupThreads;
  readonly log: Log;
  readonly now: () => number;
}

/** Nobody cancels: what is half restored is nothing. */
const RUN = { signal: new AbortController().signal, onProgress: () => undefined };

class NotRestored extends Error {
  override readonly name = 'NotRestored';
  readonly fault: RestoreFault;

  constructor(failure: RestoreFailure) {
    super('detail' in failure ? failure.detail : failure.fault);
    this.fault = failure.fault;
  }
}

export class HostRestores implements RestoresOfHost {
  readonly #config: Config;
  readonly #deps: HostRestoresDeps;
  #last: LastRestore | undefined;
  #isRunning = false;

  constructor(config: Config, deps: HostRestoresDeps) {
    this.#config = config;
    this.#deps = deps;
  }

  get last(): LastRestore | undefined {
    return this.#last;
  }

  begin(restore: ConfirmedRestore, answered: Promise<void>): boolean {
    if (this.#isRunning) return false;
    this.#isRunning = true;
    const { log } = this.#deps;
    const done = answered
      .then(() => this.#restore(restore))
      .finally(() => {
        this.#isRunning = false;
      });
    inBackground('a restore could not be finished', done, (error) => log.error({ err: error }, 'restore'));
    return true;
  }

  async #restore(restore: ConfirmedRestore): Promise<void> {
    const { host, now, log } = this.#deps;
    const begunAtMs = performance.now();
    let restored: Restored | undefined;
    const outcome = await host().restart(async () => {
      restored = await this.#exchange(restore);
      return { undo: restored.exchange.undo };
    });
    const fault = outcome.kind === 'changed' ? '' : faultOf(outcome.error, restored);
    // A process that ends meanwhile starts no gateway: the next one may still need the old state.
    if (outcome.kind === 'changed' && host().gateway !== undefined) await this.#finish(restored);
    if (outcome.kind === 'unchanged') log.error({ err: outcome.error, fault }, 'nothing was restored');
    if (fault !== '') {
      await this.#inDatabase((stores) => this.#note(stores, 'backup.restorefailed', restore, { fault })).catch(
        (error: unknown) => log.error({ err: error }, 'the audit was not told of a restore that failed'),
      );
    }
    this.#last = {
      ...{ file: restore.file, createdAtMs: wallMs(restore.createdAtMs), by: restore.by },
      ...{ endedAtMs: wallMs(now()), durationMs: Math.round(performance.now() - begunAtMs), fault },
      kept: fault === '' && restored !== undefined ? shownKept(restored) : null,
    };
  }

  /** What it leaves is removed at the next start. */
  async #finish(restored: Restored | undefined): Promise<void> {
    try {
      await restored?.exchange.finish();
    } catch (error) {
      this.#deps.log.error({ err: error }, 'the state before a restore could not be removed');
    }
  }

  async #exchange(restore: ConfirmedRestore): Promise<Restored> {
    const { installation, threads } = this.#deps;
    const { path, key, choices } = restore;
    const outcome = await restoreInstallation(
      { path, key, choices },
      {
        ...installation,
        build: (task) => threads.build({ ...task, keptFree: keptFree(this.#config) }, RUN),
        prepare: () => this.#inDatabase((stores) => this.#prepare(stores, restore)),
      },
    );
    if (!outcome.ok) throw new NotRestored(outcome);
    try {
      const { auditRows, revokedLinks } = outcome.kept;
      const detail = { createdAtMs: restore.createdAtMs, auditRows, revokedLinks: revokedLinks.count };
      await this.#inDatabase((stores) => this.#note(stores, 'backup.restored', restore, detail));
    } catch (error) {
      await outcome.exchange.undo();
      throw error;
    }
    return outcome;
  }

  async #prepare(stores: Stores, { by, note }: ConfirmedRestore): Promise<RestoreFailure | undefined> {
    const { installation, threads, now, log } = this.#deps;
    const { database, onFault } = installation;
    const others = await liveGateways(stores.gateways, { nowMs: now() });
    if (others.length > 0) return { ok: false, fault: 'other-gateways' };
    const path = await backUpBefore(this.#config, { madeBy: by, note }, { stores, database, threads, now, onFault });
    if (path === undefined) return { ok: false, fault: 'backup-failed' };
    log.info({ path }, 'the present state was backed up before a restore');
    return undefined;
  }

  async #note(
    { audit }: Stores,
    action: AuditAction,
    { by, file }: ConfirmedRestore,
    detail: Readonly<Record<string, string | number>>,
  ): Promise<void> {
    await audit.add({ actor: by, action, target: file, detail }, wallMs(this.#deps.now()));
  }

  async #inDatabase<Result>(use: (stores: Stores) => Promise<Result>): Promise<Result> {
    const open = await openDatabase(this.#deps.installation.database);
    try {
      return await use(createStores(open.db));
    } finally {
      await open.close();
    }
  }
}

function faultOf(error: Error, restored: Restored | undefined): RestoreFault {
  if (restored !== undefined) return 'start-failed';
  return error instanceof NotRestored ? error.fault : 'internal';
}

function shownKept({ kept }: Restored): NonNullable<LastRestore['kept']> {
  const { disabled, passwordChanged, revokedLinks, auditRows, history } = kept;
  return {
    ...{ disabled: [...disabled], passwordChanged: [...passwordChanged], auditRows },
    revokedLinks: { ...revokedLinks, names: [...revokedLinks.names] },
    history: history.map((each) => ({ ...each })),
  };
}

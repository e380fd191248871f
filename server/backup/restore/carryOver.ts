// Carries data of the present database over to a restored one, and lists it for whoever restores.
import { SECRET_SETTINGS } from '../../installation.ts';
import { applyAccess, carrySettings, readAccess, replaceSettings } from '../../store/backup/carry/carryAccess.ts';
import { carryAudit, carryTable } from '../../store/backup/carry/carryRows.ts';
import { historyFits, readIncarnations } from '../../store/backup/carry/historyFit.ts';
import { sortEventsIntoMonths } from '../../store/backup/eventMonthsAfterLoad.ts';
import type { LoadTarget } from '../../store/backup/loadTarget.ts';
import { withDatabase } from '../../store/backup/migrateHere.ts';
import { openLoadTarget } from '../../store/backup/openLoadTarget.ts';
import { openSnapshot } from '../../store/backup/openSnapshot.ts';
import { markRestored } from '../../store/backup/restoreMark.ts';
import type { Snapshot } from '../../store/backup/snapshot.ts';
import { type HistoryPart, staysThroughRestore, tablesOf } from '../../store/backup/tableParts.ts';
import type { DatabaseLocation, StoreDb } from '../../store/engine/database.ts';
import { ArchiveFault, archiveFailure, throwIfCanceled } from '../archive/faults.ts';
import type { ArchiveRun } from '../archive/writeArchive.ts';
import { COPY_REMOVALS_SETTING } from '../copy/removals.ts';
import { accessSince } from './accessSince.ts';
import { type NameList, nameList } from './nameList.ts';
import type { RestoreChoices } from './restoreChoices.ts';

export interface KeptByRestore {
  /** Names of members. */
  readonly disabled: readonly string[];
  readonly passwordChanged: readonly string[];
  readonly revokedLinks: NameList;
  /** Audit rows that the archive doesn't have. */
  readonly auditRows: number;
  /** History that the archive doesn't have. `does-not-fit`: it belongs to devices that are not in the archive. */
  readonly history: readonly { readonly part: HistoryPart; readonly outcome: 'kept' | 'does-not-fit' | 'not-wanted' }[];
  /** Settings that only an encrypted archive contains. */
  readonly settings: readonly string[];
}

export interface CarryTask {
  readonly id: string;
  readonly database: DatabaseLocation;
  readonly restored: DatabaseLocation;
  readonly choices: RestoreChoices;
  /** Parts that the archive doesn't have. */
  readonly missing: readonly HistoryPart[];
}

export async function carryOver(task: CarryTask, run: ArchiveRun): Promise<KeptByRestore> {
  const both = (use: (present: StoreDb, restored: StoreDb) => Promise<AccessKept>): Promise<AccessKept> =>
    withDatabase(task.database, run.onFault, (present) =>
      withDatabase(task.restored, run.onFault, (restored) => use(present, restored)),
    );
  const { fits, ...access } = await both((present, restored) => carryRights(present, restored, task));
  const snapshot = await openSnapshot(task.database, run.onFault);
  try {
    const auditRows = await filling(task, run, (target) => auditInto(target, snapshot, task, run));
    await filling(task, run, async (target) => {
      for (const { name } of target.tables) if (staysThroughRestore(name)) await carryTable(snapshot, target, name);
    });
    const history = await carryHistory({ snapshot, fits, task, run });
    return { ...access, auditRows, history };
  } finally {
    await snapshot.close();
  }
}

/** Settings of the present state: copies in the bucket that wait to be deleted exist whatever was restored. */
const OF_THE_PRESENT = [COPY_REMOVALS_SETTING];

type AccessKept = Pick<KeptByRestore, 'disabled' | 'passwordChanged' | 'revokedLinks' | 'settings'> & {
  readonly fits: boolean;
};

async function carryRights(present: StoreDb, restored: StoreDb, { id, choices }: CarryTask): Promise<AccessKept> {
  const since = accessSince(await readAccess(present), await readAccess(restored));
  const disabled = choices.disabled ? since.disabled : [];
  const passwordChanged = choices.passwords ? since.passwordChanged : [];
  const revoked = choices.links ? since.revoked : [];
  await applyAccess(restored, { disabled, passwordChanged, revoked });
  const secrets = Object.values(SECRET_SETTINGS).map(({ name }) => name);
  const settings = await carrySettings(present, restored, secrets);
  await replaceSettings(present, restored, OF_THE_PRESENT);
  await markRestored(restored, id);
  return {
    disabled: disabled.map(({ username }) => username),
    passwordChanged: passwordChanged.map(({ username }) => username),
    revokedLinks: nameList(revoked.map(({ label }) => label)),
    settings,
    fits: historyFits(await readIncarnations(present), await readIncarnations(restored)),
  };
}

/** Fills in one transaction of the restored database. */
async function filling<Result>(
  { restored }: CarryTask,
  { onFault, signal }: ArchiveRun,
  fill: (target: LoadTarget) => Promise<Result>,
): Promise<Result> {
  throwIfCanceled(signal);
  const target = await openLoadTarget(restored, onFault);
  try {
    await target.begin();
    const result = await fill(target);
    const broken = await target.commit();
    if (broken !== undefined) throw new ArchiveFault('damaged', `a row of ${broken} belongs to one that is not there`);
    return result;
  } finally {
    await target.close();
  }
}

async function auditInto(
  target: LoadTarget,
  present: Snapshot,
  { restored }: CarryTask,
  { onFault }: ArchiveRun,
): Promise<number> {
  const before = await openSnapshot(restored, onFault);
  try {
    return await carryAudit(present, before, target);
  } finally {
    await before.close();
  }
}

interface HistoryTask {
  readonly snapshot: Snapshot;
  readonly fits: boolean;
  readonly task: CarryTask;
  readonly run: ArchiveRun;
}

async function carryHistory({ snapshot, fits, task, run }: HistoryTask): Promise<KeptByRestore['history']> {
  // The audit has been carried over already.
  const parts = task.missing.filter((part) => part !== 'audit');
  if (!task.choices.history) return parts.map((part) => ({ part, outcome: 'not-wanted' }));
  if (!fits) return parts.map((part) => ({ part, outcome: 'does-not-fit' }));
  const history: KeptByRestore['history'][number][] = [];
  for (const part of parts) {
    const names = tablesOf(part);
    const isKept = await hasKept(() =>
      filling(task, run, async (target) => {
        for (const name of names) await carryTable(snapshot, target, name);
      }),
    );
    history.push({ part, outcome: isKept ? 'kept' : 'does-not-fit' });
  }
  if (parts.includes('events')) await withDatabase(task.restored, run.onFault, sortEventsIntoMonths);
  return history;
}

/** False where a row refers to one that is not in the archive: then nothing of the part was committed. */
async function hasKept(carry: () => Promise<void>): Promise<boolean> {
  try {
    await carry();
    return true;
  } catch (error) {
    if (archiveFailure(error)?.fault !== 'damaged') throw error;
    return false;
  }
}

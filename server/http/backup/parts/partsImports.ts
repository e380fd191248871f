// The running or finished import of parts of a backup: one at a time, visible to the member who began it.
import { randomBytes } from 'node:crypto';
import type { PartRow, PartsImport } from '../../../../shared/protocol/api/system/backupParts.ts';
import type { BackupPart, PartsFault, PartsState } from '../../../../shared/protocol/backup/partWords.ts';
import type { BackupRunOptions } from '../../../backup/thread/backupThread.ts';
import { inBackground } from '../../../faults/background.ts';
import type { OnFault } from '../../../faults/onFault.ts';
import { PendingWork } from '../../../faults/pendingWork.ts';
import type { Limit, OnLimit } from '../../../limits/limit.ts';
import type { PlannedParts, PlannedRow } from './planParts.ts';

/**
 * Records of the chosen parts in a backup: enough for a fleet with everything that belongs to it. The dry run fails with `too-many-rows`;
 * larger lists of devices have an import of their own.
 */
export const PART_ROWS_LIMIT: Limit = { name: 'backup.parts.rows', max: 20_000 };
/** Rows of a dry run that are shown, of those that differ from the backup. The others are counted, and imported as well. */
export const PART_ROWS_SHOWN_LIMIT: Limit = { name: 'backup.parts.rows-shown', max: 1_000 };

export type PartsOutcome =
  | { readonly ok: true; readonly planned: PlannedParts }
  | { readonly ok: false; readonly fault: Exclude<PartsFault, ''> };

export interface BegunParts {
  /** The member's number. */
  readonly owner: number;
  readonly backup: number;
  readonly parts: readonly BackupPart[];
}

export type PlanImport = (options: BackupRunOptions) => Promise<PartsOutcome>;

interface ImportedRows {
  readonly added: number;
  readonly changed: number;
  readonly failed: number;
}

interface ImportOptions {
  readonly signal: AbortSignal;
  /** The rows imported so far. */
  readonly imported: () => ImportedRows;
  readonly onRow: (row: PlannedRow, result: string) => void;
}

export type RunImport = (planned: PlannedParts, options: ImportOptions) => Promise<void>;

export interface PartsImportsDeps {
  readonly onChanged: () => void;
  readonly onLimit: OnLimit;
  readonly onFault: OnFault;
}

interface Current extends BegunParts {
  readonly id: string;
  readonly abort: AbortController;
  state: PartsState;
  fault: PartsFault;
  rowsRead: number;
  planned: PlannedParts;
  readonly results: Map<PlannedRow, string>;
  imported: ImportedRows;
}

const NOTHING: PlannedParts = { rows: [], counts: { added: 0, changed: 0, unchanged: 0, refused: 0 } };

export class PartsImports {
  readonly #deps: PartsImportsDeps;
  #current: Current | undefined;
  readonly #work = new PendingWork();

  constructor(deps: PartsImportsDeps) {
    this.#deps = deps;
  }

  /** False: another import is running. A finished one is forgotten, whoever began it. */
  begin(begun: BegunParts, plan: PlanImport): boolean {
    if (this.#isBusy) return false;
    const current: Current = {
      ...begun,
      id: randomBytes(16).toString('hex'),
      abort: new AbortController(),
      state: 'running',
      fault: '',
      rowsRead: 0,
      planned: NOTHING,
      results: new Map(),
      imported: { added: 0, changed: 0, failed: 0 },
    };
    this.#current = current;
    this.#run(current, () => this.#plan(current, plan));
    return true;
  }

  /** False: the owner has no such import that is ready. */
  apply(owner: number, id: string, run: RunImport): boolean {
    const current = this.#of(owner);
    if (current === undefined || current.id !== id || current.state !== 'ready') return false;
    current.state = 'importing';
    this.#run(current, async () => {
      const onRow: ImportOptions['onRow'] = (row, result) => this.#note(current, row, result);
      const imported = () => current.imported;
      await run(current.planned, { signal: current.abort.signal, onRow, imported });
      current.state = 'done';
    });
    return true;
  }

  drop(owner: number): void {
    const current = this.#of(owner);
    if (current === undefined) return;
    current.abort.abort();
    // An import stays, to show how far it came.
    if (current.state !== 'importing') this.#current = undefined;
    this.#deps.onChanged();
  }

  /** Null where the owner has none. */
  show(owner: number): PartsImport | null {
    const current = this.#of(owner);
    return current === undefined ? null : shown(current);
  }

  async close(): Promise<void> {
    this.#current?.abort.abort();
    await this.#work.settled();
  }

  get #isBusy(): boolean {
    return this.#current?.state === 'running' || this.#current?.state === 'importing';
  }

  #of(owner: number): Current | undefined {
    return this.#current?.owner === owner ? this.#current : undefined;
  }

  async #plan(current: Current, plan: PlanImport): Promise<void> {
    const outcome = await plan({
      signal: current.abort.signal,
      onProgress: ({ rows }) => {
        current.rowsRead = rows;
        this.#deps.onChanged();
      },
    });
    if (!outcome.ok) return end(current, outcome.fault);
    current.planned = outcome.planned;
    current.state = 'ready';
    if (rowsOfInterest(current).length > PART_ROWS_SHOWN_LIMIT.max) this.#deps.onLimit(PART_ROWS_SHOWN_LIMIT);
  }

  #note(current: Current, row: PlannedRow, result: string): void {
    current.results.set(row, result);
    const { imported } = current;
    if (result !== 'done') current.imported = { ...imported, failed: imported.failed + 1 };
    else if (row.row.outcome === 'added') current.imported = { ...imported, added: imported.added + 1 };
    else current.imported = { ...imported, changed: imported.changed + 1 };
    this.#deps.onChanged();
  }

  #run(current: Current, work: () => Promise<void>): void {
    const { onChanged, onFault } = this.#deps;
    const done = (async () => {
      try {
        await work();
      } catch (error) {
        end(current, 'internal');
        throw error;
      } finally {
        onChanged();
      }
    })();
    inBackground('an import of parts of a backup failed', this.#work.add(done), onFault);
    onChanged();
  }
}

function end(current: Current, fault: Exclude<PartsFault, ''>): void {
  current.state = 'failed';
  current.fault = fault;
}

function rowsOfInterest({ planned }: Current): readonly PlannedRow[] {
  return planned.rows.filter(({ row }) => row.outcome !== 'unchanged');
}

function shown(current: Current): PartsImport {
  const { id, backup, parts, state, fault, rowsRead, planned, results, imported } = current;
  const rows = rowsOfInterest(current);
  const some = rows.slice(0, PART_ROWS_SHOWN_LIMIT.max);
  return {
    ...{ id, backup, parts: [...parts], state, fault, rowsRead, imported, counts: planned.counts },
    rows: some.map((each): PartRow => ({ ...each.row, result: results.get(each) ?? '' })),
    rowsLeftOut: rows.length - some.length,
  };
}

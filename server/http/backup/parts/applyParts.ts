// Imports the result of a dry run, row by row: each row is saved as a page would save it, or refused as a page would be.
import { PART_PERMISSIONS, type PartRecordKind } from '../../../../shared/protocol/backup/partWords.ts';
import type { Actor } from '../../../records/recordActs.ts';
import { Refused } from '../../kernel/envelope.ts';
import type { ApiAnswer, CallApi } from './callsAs.ts';
import type { PartActs, SavedPart } from './partActs.ts';
import { PART_KINDS } from './partKinds.ts';
import {
  groupedBy,
  MissingReference,
  type PartKind,
  type PartRecord,
  type PartStores,
  type RequiredIds,
  type WantedRecord,
} from './partRecords.ts';
import type { PlannedRow } from './planParts.ts';

export interface ApplyDeps {
  readonly stores: PartStores;
  readonly memberGroup: number;
  /** Who imports. */
  readonly actor: Actor;
  readonly acts: PartActs;
  readonly call: CallApi;
  /** Called after each row that was to be added or changed, with `done` or the reason why it wasn't. */
  readonly onRow: (row: PlannedRow, result: string) => void;
  readonly signal: AbortSignal;
}

export async function applyParts(rows: readonly PlannedRow[], deps: ApplyDeps): Promise<void> {
  const wanted = rows.filter(({ row: { outcome } }) => outcome === 'added' || outcome === 'changed');
  for (const [kind, ofKind] of groupedBy(wanted, (row) => row.kind)) {
    const present = await PresentRecords.read(kind, ofKind, deps);
    for (const row of ofKind) {
      if (deps.signal.aborted) return;
      deps.onRow(row, await applyRow(row, present, deps));
    }
  }
}

async function applyRow(row: PlannedRow, present: PresentRecords, deps: ApplyDeps): Promise<string> {
  if (present.isOtherThan(row.wanted)) return 'conflict';
  try {
    const saved = await save(row, present.ids, deps);
    if (saved.ok) present.added(row.wanted, saved.id);
    return saved.ok ? 'done' : saved.code;
  } catch (error) {
    if (error instanceof MissingReference) return 'unknown';
    throw error;
  }
}

async function save({ kind, wanted }: PlannedRow, ids: RequiredIds, deps: ApplyDeps): Promise<SavedPart> {
  const { actor, acts, call } = deps;
  if (kind.save !== undefined) {
    // The permissions may have changed since the dry run.
    const isAllowed = PART_PERMISSIONS[kind.part].every((permission) => actor.permissions.includes(permission));
    return isAllowed ? kind.save(wanted, { actor, acts, ids }) : { ok: false, code: Refused.forbidden.code };
  }
  if (kind.call === undefined) throw new Error(`nothing saves a ${kind.record}`);
  return savedBy(await call(kind.call(wanted, ids)));
}

function savedBy(answer: ApiAnswer): SavedPart {
  if (answer.ok) return { ok: true, ...(answer.data as { readonly id?: number }) };
  // The fault of a field says more than the code of the refusal.
  const [fault] = Object.values(answer.fields);
  return { ok: false, code: fault ?? answer.code };
}

/** The records as they are when the turn of their kind comes, and as the import has left them since. */
class PresentRecords {
  readonly #kind: PartKind;
  readonly #records: ReadonlyMap<PartRecordKind, ReadonlyMap<string, readonly PartRecord[]>>;
  readonly #added = new Map<string, number | string>();

  private constructor(
    kind: PartKind,
    records: ReadonlyMap<PartRecordKind, ReadonlyMap<string, readonly PartRecord[]>>,
  ) {
    this.#kind = kind;
    this.#records = records;
  }

  /** Reads only the records that the rows are, or refer to: there may be fifty thousand devices. */
  static async read(
    kind: PartKind,
    rows: readonly PlannedRow[],
    { stores, memberGroup }: ApplyDeps,
  ): Promise<PresentRecords> {
    const references = rows.flatMap(({ wanted }) => kind.references(wanted.fields));
    const needed = new Set([kind.record, ...references.map(({ record }) => record)]);
    const read = PART_KINDS.filter(({ record }) => needed.has(record)).map(async (each) => {
      const records = await each.read(stores, memberGroup);
      return [each.record, groupedBy(records, ({ key }) => key)] as const;
    });
    return new PresentRecords(kind, new Map(await Promise.all(read)));
  }

  readonly ids: RequiredIds = (record, key) => {
    const added = record === this.#kind.record ? this.#added.get(key) : undefined;
    const found = this.#records.get(record)?.get(key) ?? [];
    const id = added ?? (found.find(({ isReached }) => isReached) ?? found[0])?.id;
    if (id === undefined) throw new MissingReference(key);
    return id;
  };

  /** Whether somebody has changed, added or removed the record since the dry run. */
  isOtherThan({ record, present }: WantedRecord): boolean {
    const now = this.#records
      .get(this.#kind.record)
      ?.get(record.key)
      ?.find(({ isReached }) => isReached);
    return now?.version !== present?.version || now?.id !== present?.id;
  }

  added({ record }: WantedRecord, id: number | string | undefined): void {
    if (id !== undefined) this.#added.set(record.key, id);
  }
}

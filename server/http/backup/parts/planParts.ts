// What an import would do to each record of the backup, and why not. The same backup on the same records gives the same plan; nothing
// else happens, and others have their turn meanwhile.
import type { PartCounts, PartFault, PartRow } from '../../../../shared/protocol/api/system/backupParts.ts';
import type { BackupPart, PartRecordKind } from '../../../../shared/protocol/backup/partWords.ts';
import type { YieldIfDue } from '../../devices/import/yielder.ts';
import { PART_KINDS } from './partKinds.ts';
import {
  faultOf,
  groupedBy,
  type JudgeRecord,
  type PartFields,
  type PartKind,
  type PartRecord,
  type PartReference,
  type PlanContext,
  type WantedRecord,
} from './partRecords.ts';

export interface PlannedRow {
  readonly row: Omit<PartRow, 'result'>;
  readonly kind: PartKind;
  readonly wanted: WantedRecord;
}

export interface PlannedParts {
  readonly rows: readonly PlannedRow[];
  readonly counts: PartCounts;
}

export async function planParts(
  parts: readonly BackupPart[],
  context: PlanContext,
  yieldIfDue: YieldIfDue,
): Promise<PlannedParts> {
  const known = new KnownRecords(context.present);
  const rows: PlannedRow[] = [];
  for (const kind of PART_KINDS.filter(({ part }) => parts.includes(part))) {
    const planning = new Planning(kind, context, known);
    for (const record of context.archived.get(kind.record) ?? []) {
      rows.push(planning.plan(record));
      const pause = yieldIfDue();
      if (pause !== undefined) await pause;
    }
  }
  const counts = { added: 0, changed: 0, unchanged: 0, refused: 0 };
  for (const { row } of rows) counts[row.outcome]++;
  return { rows, counts };
}

/** What references can lead to: what is there, and what will be. */
class KnownRecords {
  readonly #present = new Map<PartRecordKind, ReadonlyMap<string, readonly PartRecord[]>>();
  readonly #added = new Map<PartRecordKind, Set<string>>();

  constructor(present: PlanContext['present']) {
    for (const [kind, records] of present)
      this.#present.set(
        kind,
        groupedBy(records, ({ key }) => key),
      );
  }

  find(kind: PartRecordKind, key: string): readonly PartRecord[] {
    return this.#present.get(kind)?.get(key) ?? [];
  }

  add(kind: PartRecordKind, key: string): void {
    this.#added.set(kind, (this.#added.get(kind) ?? new Set()).add(key));
  }

  faultOf({ field, record, key, name, isAnywhere = false }: PartReference): PartFault | undefined {
    if (this.#added.get(record)?.has(key) === true) return undefined;
    const found = this.find(record, key).filter(({ isReached }) => isAnywhere || isReached);
    if (found.length === 1) return undefined;
    return faultOf(field, found.length === 0 ? 'unknown' : 'ambiguous', name);
  }
}

class Planning {
  readonly #kind: PartKind;
  readonly #known: KnownRecords;
  readonly #judge: JudgeRecord;
  readonly #seen = new Set<string>();

  constructor(kind: PartKind, context: PlanContext, known: KnownRecords) {
    this.#kind = kind;
    this.#known = known;
    this.#judge = kind.judge?.(context) ?? (() => []);
  }

  plan(record: PartRecord): PlannedRow {
    const candidates = this.#known.find(this.#kind.record, record.key);
    const present = candidates.find(({ isReached }) => isReached);
    const fault = this.#faultOfKey(record, candidates);
    if (fault !== undefined) return this.#row({ record, fields: record.fields, present }, [fault]);
    const fields = present === undefined ? record.fields : this.#merged(record.fields, present.fields);
    const wanted = { record, fields, present };
    // What stays as it is isn't judged: it was fine when it was saved.
    if (present !== undefined && changesOf(present.fields, fields).length === 0) return this.#row(wanted, []);
    return this.#row(wanted, [...this.#referenceFaults(fields), ...this.#judge(wanted)]);
  }

  #faultOfKey({ key, isReached }: PartRecord, candidates: readonly PartRecord[]): PartFault | undefined {
    if (!isReached) return faultOf('', 'other-group');
    if (this.#seen.has(key)) return faultOf('', 'repeated');
    this.#seen.add(key);
    const reached = candidates.filter((candidate) => candidate.isReached);
    if (reached.length > 1) return faultOf('', 'ambiguous');
    // Devices and groups of others are still there, under the same id or path; fences of others have nothing to do with it.
    const isTaken = reached.length === 0 && candidates.length > 0 && this.#kind.record !== 'fence';
    return isTaken ? faultOf('', 'taken') : undefined;
  }

  #merged(wanted: PartFields, present: PartFields): PartFields {
    return this.#kind.merge?.(wanted, present) ?? wanted;
  }

  #referenceFaults(fields: PartFields): PartFault[] {
    return this.#kind.references(fields).flatMap((reference) => this.#known.faultOf(reference) ?? []);
  }

  #row(wanted: WantedRecord, faults: readonly PartFault[]): PlannedRow {
    const { record, fields, present } = wanted;
    const head = { record: this.#kind.record, name: record.name };
    const row = (outcome: PartRow['outcome'], changes: PartRow['changes'] = []): PlannedRow => ({
      row: { ...head, outcome, changes, faults },
      kind: this.#kind,
      wanted,
    });
    if (faults.length > 0) return row('refused');
    if (present === undefined) {
      this.#known.add(this.#kind.record, record.key);
      return row('added');
    }
    const changes = changesOf(present.fields, fields);
    return changes.length === 0 ? row('unchanged') : row('changed', changes);
  }
}

function changesOf(before: PartFields, after: PartFields): PartRow['changes'] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((field) => {
    const [from, to] = [textOf(before[field]), textOf(after[field])];
    return from === to ? [] : [{ field, from: shown(from), to: shown(to) }];
  });
}

/** The same values give the same text, in whichever order their fields were stored. */
function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, inOrder);
}

function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

const MAX_SHOWN = 200;

/** Outlines, and texts of messages, are long. */
function shown(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

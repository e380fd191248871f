// Importing parts of a backup into the running installation: a dry run by row first, then exactly what it announced. Takes
// `system`, `sysbackup`, and for each part the permissions to change it by hand. Only the member who began an import sees it.
import * as Type from 'typebox/type';
import { BACKUP_PARTS, PART_RECORDS, PARTS_FAULTS, PARTS_STATES } from '../../backup/partWords.ts';
import { Count, closed, Id, Nullable, OneOf, type RecordOf, ShortText, Text } from '../records.ts';
import { MAX_PASSPHRASE } from './backups.ts';

/** GET: a PartsImportState; POST, with WantedParts: begins a dry run and gives the state; DELETE: cancels or forgets it. */
export const BACKUP_PARTS_PATH = '/api/backup/parts';
/** POST, with an AppliedParts: begins the import, and gives the PartsImportState. */
export const BACKUP_PARTS_APPLY_PATH = '/api/backup/parts/apply';

export const WantedParts = Type.Object(
  {
    backup: Id,
    /** Passphrase or recovery key. '': the one that the backup was made with, which this installation keeps. */
    key: Type.String({ maxLength: MAX_PASSPHRASE }),
    parts: Type.Array(OneOf(BACKUP_PARTS), { minItems: 1, maxItems: BACKUP_PARTS.length, uniqueItems: true }),
  },
  closed,
);
export type WantedParts = RecordOf<typeof WantedParts>;

const PART_OUTCOMES = ['added', 'changed', 'unchanged', 'refused'] as const;

export const PartFault = Type.Object({
  /** A field of the record, or '' for the record as a whole. */
  field: Text,
  /** A FieldCode, or the code of a refusal. */
  code: Text,
  /** The value in question, such as a name or a path. */
  value: Text,
});
export type PartFault = RecordOf<typeof PartFault>;

export const PartRow = Type.Object({
  record: OneOf(PART_RECORDS),
  /** Identifies the record: an id, a path of groups, a name. */
  name: Text,
  /** The change that the import would make. */
  outcome: OneOf(PART_OUTCOMES, 'refused'),
  changes: Type.Array(Type.Object({ field: Text, from: Text, to: Text })),
  faults: Type.Array(PartFault),
  /** Result of the import: `done`, or the code of what refused it; '' until the row's turn has come. */
  result: Text,
});
export type PartRow = RecordOf<typeof PartRow>;

export const PartCounts = Type.Object({ added: Count, changed: Count, unchanged: Count, refused: Count });
export type PartCounts = RecordOf<typeof PartCounts>;

export const PartsImport = Type.Object({
  /** The id that the import is applied with. */
  id: Text,
  backup: Id,
  parts: Type.Array(OneOf(BACKUP_PARTS)),
  state: OneOf(PARTS_STATES),
  fault: OneOf(PARTS_FAULTS, 'internal'),
  /** Read from the archive so far. */
  rowsRead: Count,
  /** Counts of the dry run. */
  counts: PartCounts,
  /** Counts of the import so far: `failed` are rows that were to be added or changed and were refused. */
  imported: Type.Object({ added: Count, changed: Count, failed: Count }),
  /** Rows that no longer match the backup, or that are refused; if there are many, the first of them. */
  rows: Type.Array(PartRow),
  /** Number of such rows that are not shown. They are imported as well. */
  rowsLeftOut: Count,
});
export type PartsImport = RecordOf<typeof PartsImport>;

export const PartsImportState = Type.Object({
  /** Null: the caller has none. */
  current: Nullable(PartsImport),
});
export type PartsImportState = RecordOf<typeof PartsImportState>;

export const AppliedParts = Type.Object({ id: ShortText }, closed);
export type AppliedParts = RecordOf<typeof AppliedParts>;

// The list of an archive's contents, written at its end: a reader compares it with what it has read.
import * as Type from 'typebox/type';
import { Check } from 'typebox/value';
import { CELL_TYPES } from '../../store/backup/cells.ts';
import { HISTORY_PARTS } from '../../store/backup/tableParts.ts';
import { COLUMNS_LIMIT, MAX_NAME, TABLES_LIMIT } from './bounds.ts';
import { ArchiveFault } from './faults.ts';
import { parseJson } from './head.ts';

const Name = Type.String({ pattern: `^[a-z][a-z0-9_]{0,${MAX_NAME - 1}}$` });
const Count = Type.Integer({ minimum: 0 });
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });

const Column = Type.Object({ name: Name, type: Type.Enum([...CELL_TYPES]) });

const TableHeader = Type.Object({
  name: Name,
  columns: Type.Array(Column, { minItems: 1, maxItems: COLUMNS_LIMIT.max }),
  /** The last number that the engine gave to a row; 0 where it gives none. */
  lastSerial: Count,
});
export type TableHeader = Type.Static<typeof TableHeader>;

/** Kinds of files beside the database. The kind's owner decides on names of its files: they are never a path. */
export const FILE_KINDS = ['firmware', 'event-media', 'report', 'key', 'certificate'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

const FileHeader = Type.Object({
  kind: Type.Enum([...FILE_KINDS]),
  name: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,99}$' }),
});
export type FileHeader = Type.Static<typeof FileHeader>;

const TableEntry = Type.Object({ ...TableHeader.properties, rows: Count, bytes: Count, sha256: Hash });
export type TableEntry = Type.Static<typeof TableEntry>;
const FileSums = Type.Object({ files: Count, bytes: Count, sha256: Hash });
/** Sums over all files: their headers, lengths and contents, one after another. A list of each would be unbounded. */
export type FileSums = Type.Static<typeof FileSums>;

const Manifest = Type.Object({
  product: Type.String(),
  schemaVersion: Count,
  engine: Type.String(),
  createdAtMs: Count,
  history: Type.Array(Type.Enum([...HISTORY_PARTS])),
  tables: Type.Array(TableEntry, { maxItems: TABLES_LIMIT.max }),
  files: FileSums,
});
export type Manifest = Type.Static<typeof Manifest>;

export function decodeManifest(json: Buffer): Manifest {
  const manifest = parseJson(json, 'the manifest');
  if (!Check(Manifest, manifest)) throw new ArchiveFault('damaged', 'the manifest lacks something');
  return manifest;
}

/** Each table and column once, with names that can be compared with those of the schema. */
export function decodeTable(json: Buffer): TableHeader {
  const table = parseJson(json, 'the beginning of a table');
  if (typeof table === 'object' && table !== null && 'columns' in table && Array.isArray(table.columns)) {
    if (table.columns.length > COLUMNS_LIMIT.max) throw new ArchiveFault('too-large', 'too many columns');
  }
  if (!Check(TableHeader, table)) throw new ArchiveFault('unknown-table', 'a table that no schema has');
  if (new Set(table.columns.map(({ name }) => name)).size < table.columns.length) {
    throw new ArchiveFault('unknown-table', `a column of ${table.name} comes twice`);
  }
  return table;
}

export function decodeFile(json: Buffer): FileHeader {
  const file = parseJson(json, 'the beginning of a file');
  if (!Check(FileHeader, file)) throw new ArchiveFault('damaged', 'a file of no known kind, or of another name');
  return file;
}

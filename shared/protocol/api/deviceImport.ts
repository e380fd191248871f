// Imports of devices: what the calls of /api/devicegroup/import say. The file itself is the body.
import * as Type from 'typebox/type';
import { IMPORT_ENCODINGS } from './imports/importEncodings.ts';
import { Count, closed, Flag, IdText, OneOf, type RecordOf, Text } from './records.ts';

export const IMPORT_PATH = '/api/devicegroup/import';

const IMPORT_OUTCOMES = ['added', 'changed', 'unchanged', 'refused'] as const;

export const ImportFault = Type.Object({
  /** A column of the file, or '' for the row as a whole. */
  column: Text,
  /** A FieldFault, or one of the import's own. */
  code: Text,
  value: Text,
});
export type ImportFault = RecordOf<typeof ImportFault>;

export const ImportRow = Type.Object({
  /** In the file, from 1; the header is one of them. */
  line: Count,
  deviceid: Text,
  name: Text,
  outcome: OneOf(IMPORT_OUTCOMES, 'refused'),
  changes: Type.Array(Type.Object({ column: Text, from: Text, to: Text })),
  faults: Type.Array(ImportFault),
});
export type ImportRow = RecordOf<typeof ImportRow>;

/** How many rows come to what. */
export const ImportCounts = Type.Object({ added: Count, changed: Count, unchanged: Count, refused: Count });
export type ImportCounts = RecordOf<typeof ImportCounts>;

export const ImportPlan = Type.Object({
  encoding: OneOf(IMPORT_ENCODINGS),
  /** The file doesn't say its encoding, and others fit as well. */
  isGuess: Flag,
  counts: ImportCounts,
  /** Stands for exactly these outcomes, on what the database held. */
  token: Text,
  rows: Type.Array(ImportRow),
});
export type ImportPlan = RecordOf<typeof ImportPlan>;

/** In the query of both calls. */
export const ImportChoice = Type.Object(
  {
    /** Left out: it is found out. */
    encoding: Type.Optional(OneOf(IMPORT_ENCODINGS)),
    /** Where new devices go that name no group. */
    group: Type.Optional(IdText),
  },
  closed,
);
export type ImportChoice = RecordOf<typeof ImportChoice>;

/** Imports what the token stands for, or nothing. */
export const ImportApplication = Type.Object({
  ...ImportChoice.properties,
  token: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

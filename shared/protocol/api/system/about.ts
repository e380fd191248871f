// The version page: the product that runs, what it is built on, and the other gateways of the database.
import * as Type from 'typebox/type';
import { Count, Flag, OneOf, type RecordOf, Text, Timestamp } from '../records.ts';

/** GET: an About. Takes `system` and `gmsversion`. */
export const ABOUT_PATH = '/api/version/about';

/** How long a gateway without a sign of life is listed; one that ended in order isn't. */
export const GATEWAYS_KEPT_MS = 86_400_000;
/** Interval of a gateway's signs of life. */
export const SIGN_OF_LIFE_MS = 30_000;

const Build = Type.Object({
  /** Hash; '' when unknown, as of a gateway that was not built in a repository. */
  commit: Text,
  builtAtMs: Timestamp,
});
export type Build = RecordOf<typeof Build>;

const SchemaStep = Type.Object({ version: Count, name: Text, appliedAtMs: Timestamp });

const Database = Type.Object({
  engine: OneOf(['sqlite', 'postgres']),
  version: Text,
  /** Including the write-ahead log of the embedded database. */
  bytes: Count,
});

const Gateway = Type.Object({
  id: Text,
  host: Text,
  version: Text,
  startedAtMs: Timestamp,
  /** On that gateway's clock. */
  seenAtMs: Timestamp,
  /** The gateway that made this answer. */
  isThis: Flag,
});

const Changes = Type.Object({
  /** Version that ran on this database before; '' for none. */
  previousVersion: Text,
  /** Sections of the change log, newest first, with their headings. */
  markdown: Text,
  /** There is more than this. */
  isCut: Flag,
});
export type Changes = RecordOf<typeof Changes>;

const EvidenceKey = Type.Object({
  /** PEM. */
  publicKey: Text,
  /** SHA-256 of the key as SPKI (DER): hex digits in groups of four. */
  fingerprint: Text,
});

export const About = Type.Object({
  version: Text,
  build: Build,
  schema: Type.Object({
    version: Count,
    /** Oldest first. */
    steps: Type.Array(SchemaStep),
  }),
  /** Version. */
  node: Text,
  /** Operating system, its version and the processor's kind. */
  platform: Text,
  database: Database,
  startedAtMs: Timestamp,
  /** The server's clock as it answers. */
  nowMs: Timestamp,
  /** Time zone of the server: an IANA name. */
  timeZone: Text,
  /** The newest sign of life first. */
  gateways: Type.Array(Gateway),
  changes: Changes,
  evidenceKey: EvidenceKey,
});
export type About = RecordOf<typeof About>;

// The head of an archive: the data that is known before a key is asked for.
import { createHash } from 'node:crypto';
import * as Type from 'typebox/type';
import { Check } from 'typebox/value';
import { HEAD_LIMIT } from './bounds.ts';
import { ArchiveFault } from './faults.ts';

export const MAGIC = Buffer.from('FGBACKUP', 'latin1');
const FORMAT_VERSION = 1;
export const PRODUCT = 'fleetglass';
export const HASH_BYTES = 32;
/** Magic, format, length of the head. */
export const PREFIX_BYTES = MAGIC.length + 2 + 4;

/** The last moment that dates know: a later one would give no name of a file. */
const LAST_MOMENT_MS = 8.64e15;

const Hex = (bytes: number) => Type.String({ pattern: `^[0-9a-f]{${bytes * 2}}$` });

/** The limits keep an archive from making its reader compute for hours. */
const Costs = Type.Object({
  memoryKib: Type.Integer({ minimum: 8, maximum: 262_144 }),
  passes: Type.Integer({ minimum: 1, maximum: 10 }),
  lanes: Type.Integer({ minimum: 1, maximum: 4 }),
});
export type Costs = Type.Static<typeof Costs>;

const Keyed = { salt: Hex(16), check: Hex(16), nonce: Hex(7) };
const Encryption = Type.Union([
  Type.Object({ kind: Type.Literal('none') }),
  Type.Object({ kind: Type.Literal('passphrase'), ...Keyed, costs: Costs }),
  Type.Object({ kind: Type.Literal('recovery-key'), ...Keyed }),
]);
export type Encryption = Type.Static<typeof Encryption>;

const Head = Type.Object({
  product: Type.String({ maxLength: 100 }),
  productVersion: Type.String({ maxLength: 100 }),
  schemaVersion: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  engine: Type.Union([Type.Literal('sqlite'), Type.Literal('postgres')]),
  createdAtMs: Type.Integer({ minimum: 0, maximum: LAST_MOMENT_MS }),
  note: Type.String({ maxLength: 500 }),
  encryption: Encryption,
});
export type Head = Type.Static<typeof Head>;

/** Magic, format, length, JSON, SHA-256 of all that. */
export function encodeHead(head: Head): Buffer {
  const json = Buffer.from(JSON.stringify(head));
  if (json.length > HEAD_LIMIT.max) throw new ArchiveFault('too-large', `a head of ${json.length} bytes`);
  const numbers = Buffer.alloc(6);
  numbers.writeUInt16BE(FORMAT_VERSION, 0);
  numbers.writeUInt32BE(json.length, 2);
  const content = Buffer.concat([MAGIC, numbers, json]);
  return Buffer.concat([content, sha256(content)]);
}

/** Number of bytes that follow, including the hash. */
export function bytesAfterPrefix(prefix: Buffer): number {
  if (!prefix.subarray(0, MAGIC.length).equals(MAGIC)) throw new ArchiveFault('not-an-archive', 'other first bytes');
  const format = prefix.readUInt16BE(MAGIC.length);
  if (format > FORMAT_VERSION) throw new ArchiveFault('newer-format', `format ${format}`);
  if (format !== FORMAT_VERSION) throw new ArchiveFault('damaged', `format ${format}`);
  const length = prefix.readUInt32BE(MAGIC.length + 2);
  if (length > HEAD_LIMIT.max) throw new ArchiveFault('too-large', `a head of ${length} bytes`);
  return length + HASH_BYTES;
}

export function decodeHead(prefix: Buffer, rest: Buffer): Head {
  const json = rest.subarray(0, -HASH_BYTES);
  if (!sha256(Buffer.concat([prefix, json])).equals(rest.subarray(-HASH_BYTES))) {
    throw new ArchiveFault('damaged', 'the head has another hash');
  }
  const head = parseJson(json, 'the head');
  if (typeof head === 'object' && head !== null && 'product' in head && head.product !== PRODUCT) {
    throw new ArchiveFault('other-product', `a backup of ${JSON.stringify(head.product)?.slice(0, 100)}`);
  }
  if (!Check(Head, head)) throw new ArchiveFault('damaged', 'the head lacks something');
  return head;
}

export function parseJson(json: Buffer, what: string): unknown {
  try {
    return JSON.parse(json.toString());
  } catch {
    throw new ArchiveFault('damaged', `${what} is no JSON`);
  }
}

export function sha256(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

// The frames and media packets that the codecs are measured with, and their fields under the names used there. Those of active
// safety are made by hand from the tables of T/JSATL 12, because none are published; all others are published.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `attachment`: bytes of a connection on which the files of alarms are uploaded. */
type Protocol = 'jt808' | 'jt1078' | 'attachment';

export interface Vector {
  readonly protocol: Protocol;
  readonly name: string;
  readonly hex: string;
  readonly message_id: string | null;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly reassembled?: {
    readonly order: readonly string[];
    readonly body_len: number;
    readonly body_sha1: string;
    readonly fields?: Readonly<Record<string, unknown>>;
  };
}

export interface NegativeVector {
  readonly protocol: Protocol;
  readonly hex: string;
  readonly expect: string;
}

export interface NegativeSafetyVector extends NegativeVector {
  readonly name: string;
  /** Fields of an `attachment` vector. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

const folder = join(import.meta.dirname, '../../../../../fixtures/jt');
const read = <T>(file: string): readonly T[] => JSON.parse(readFileSync(join(folder, file), 'utf8')) as T[];

export const vectors = read<Vector>('jt-vectors.json');
export const negativeVectors = read<NegativeVector>('jt-vectors-negative.json');
export const safetyVectors = read<Vector>('jt-safety-vectors.json');
export const negativeSafetyVectors = read<NegativeSafetyVector>('jt-safety-vectors-negative.json');

export function vectorNamed(name: string): Vector {
  const vector = vectors.find((each) => each.name === name);
  if (vector === undefined) throw new Error(`no vector ${name}`);
  return vector;
}

export function ofHex(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, 'hex'));
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

export function sha1(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('hex');
}

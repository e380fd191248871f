// The published frames and media packets that the codecs are measured with, and their fields under the names used there.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Vector {
  readonly protocol: 'jt808' | 'jt1078';
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
  readonly protocol: 'jt808' | 'jt1078';
  readonly hex: string;
  readonly expect: string;
}

const folder = join(import.meta.dirname, '../../../../../fixtures/jt');

export const vectors: readonly Vector[] = JSON.parse(readFileSync(join(folder, 'jt-vectors.json'), 'utf8'));
export const negativeVectors: readonly NegativeVector[] = JSON.parse(
  readFileSync(join(folder, 'jt-vectors-negative.json'), 'utf8'),
);

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

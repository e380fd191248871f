// Archives as somebody with ill intent would make them: whole by every hash, and wrong in what they say.
import { encodeHead, type Head, PRODUCT } from '../../../server/backup/archive/head.ts';
import { writeSealed } from '../../../server/backup/archive/sealedBody.ts';

const HEAD: Head = {
  product: PRODUCT,
  productVersion: '1.0.0',
  schemaVersion: 1,
  engine: 'sqlite',
  createdAtMs: 1,
  note: '',
  encryption: { kind: 'none' },
};

/** Bombs are packed as tightly as can be. */
const SMALLEST = 9;

export async function craftedArchive(
  frames: Iterable<Buffer> | AsyncIterable<Buffer>,
  head: Partial<Head> = {},
): Promise<Buffer> {
  const parts: Buffer[] = [];
  const cipher = { key: undefined, noncePrefix: Buffer.alloc(0), head: encodeHead({ ...HEAD, ...head }) };
  async function* each(): AsyncGenerator<Buffer> {
    yield* frames;
  }
  const push = async (bytes: Buffer): Promise<void> => void parts.push(bytes);
  await writeSealed(cipher, each(), push, SMALLEST);
  return Buffer.concat(parts);
}

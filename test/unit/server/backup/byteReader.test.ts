import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ByteReader } from '../../../../server/backup/archive/byteReader.ts';

async function* parts(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (const size of sizes) {
    yield bytes.subarray(at, at + size);
    at += size;
  }
  yield bytes.subarray(at);
}

it('bytes come by number, however the source gives them', async () => {
  const sizes = fc.array(fc.nat(9));
  await fc.assert(
    fc.asyncProperty(fc.uint8Array(), sizes, fc.array(fc.nat(9)), async (given, from, to) => {
      const bytes = Buffer.from(given);
      const seen: Buffer[] = [];
      const reader = new ByteReader(parts(bytes, from), (taken) => seen.push(Buffer.from(taken)));
      let at = 0;
      for (const count of to) {
        if (at + count > bytes.length) break;
        expect(await reader.take(count)).toEqual(bytes.subarray(at, at + count));
        at += count;
      }
      expect(await reader.isAtEnd()).toBe(at === bytes.length);
      expect(Buffer.concat(seen)).toEqual(bytes.subarray(0, at));
      await expect(reader.take(bytes.length - at + 1)).rejects.toMatchObject({ fault: 'truncated' });
    }),
  );
});

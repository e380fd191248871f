// Files that are damaged anywhere: the readers give packets or none, and never fail or go on for ever.
import { readFile as readBytes, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WrittenPacket } from '../../../../server/recording/past/pastWriter.ts';
import { readFile } from '../../../../server/sync/readers/readFile.ts';
import { readPacket } from '../../../../shared/protocol/stream/streamPacket.ts';
import type { Ffmpeg } from '../../../support/media/ffmpeg.ts';
import { findFfmpeg } from '../../../support/media/ffmpeg.ts';
import { runs } from '../../../support/runs.ts';
import { clipFile, writeByFfmpeg, writeMediaPackets, writeRaw } from '../../../support/sync/deviceFiles.ts';
import { createTempFolder, type TempFolder } from '../../../support/tempFolder.ts';

const RUNS = runs(40);
const FRAMES = 120;
const SECONDS = ['-t', '5'];

let folder: TempFolder;
beforeAll(async () => {
  folder = await createTempFolder();
});
afterAll(() => folder.remove());

async function packetsOf(path: string): Promise<WrittenPacket[]> {
  const packets: WrittenPacket[] = [];
  await readFile(path, { channel: 1, spanMs: 5_000 }, { take: async (more) => packets.push(...more) > 0 });
  return packets;
}

type Damage =
  | { readonly kind: 'flip'; readonly at: number; readonly to: number }
  | { readonly kind: 'cut'; readonly at: number }
  | { readonly kind: 'insert'; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: 'remove'; readonly at: number; readonly count: number };

/** Mostly near the front, where the tables of many files are. */
const share = fc.oneof(fc.double({ min: 0, max: 0.02, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }));
const anyDamage: fc.Arbitrary<Damage> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('flip' as const), at: share, to: fc.nat(255) }) },
  fc.record({ kind: fc.constant('cut' as const), at: share }),
  fc.record({ kind: fc.constant('insert' as const), at: share, bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }) }),
  fc.record({ kind: fc.constant('remove' as const), at: share, count: fc.integer({ min: 1, max: 2_000 }) }),
);

function damagedBy(file: Uint8Array, damage: Damage): Uint8Array {
  const at = Math.floor(damage.at * file.length);
  switch (damage.kind) {
    case 'flip':
      return file.map((byte, index) => (index === at ? damage.to : byte));
    case 'cut':
      return file.subarray(0, at);
    case 'insert':
      return Buffer.concat([file.subarray(0, at), damage.bytes, file.subarray(at)]);
    case 'remove':
      return Buffer.concat([file.subarray(0, at), file.subarray(at + damage.count)]);
  }
}

async function expectTotal(path: string): Promise<void> {
  const whole = await readBytes(path);
  expect((await packetsOf(path)).filter(({ isVideo }) => isVideo).length).toBeGreaterThan(100);
  await fc.assert(
    fc.asyncProperty(fc.array(anyDamage, { minLength: 1, maxLength: 6 }), async (damages) => {
      const bytes = damages.reduce(damagedBy, new Uint8Array(whole));
      await writeFile(`${path}.damaged`, bytes);
      const packets = await packetsOf(`${path}.damaged`);
      for (const packet of packets) expect(readPacket(packet.bytes).kind).toBe('packet');
      const total = packets.reduce((sum, packet) => sum + packet.bytes.byteLength, 0);
      expect(total).toBeLessThan(2 * bytes.length + 12 * 1024 * 1024);
    }),
    { numRuns: RUNS },
  );
}

describe('damaged files of devices', () => {
  it.each(['cabin', 'side'] as const)('raw pictures of %s', async (name) => {
    const path = `${folder.path}/${name}`;
    await writeRaw(path, name, FRAMES);
    await expectTotal(path);
  });

  it('JT/T 1078 packets', async () => {
    const path = `${folder.path}/packets`;
    await writeMediaPackets(path, 'cabin', { frames: FRAMES });
    await expectTotal(path);
  });
});

describe.skipIf(findFfmpeg() === undefined)('damaged files of another program', () => {
  const { ffmpegPath } = (findFfmpeg() ?? {}) as Ffmpeg;

  it.each([
    ['mp4', ['-movflags', '+faststart', '-c:a', 'aac', '-f', 'mp4']],
    ['fragmented', ['-movflags', '+frag_keyframe+empty_moov', '-c:a', 'aac', '-f', 'mp4']],
    ['program', ['-an', '-f', 'vob']],
  ] as const)('%s', async (name, options) => {
    const path = `${folder.path}/${name}`;
    await writeByFfmpeg(ffmpegPath, clipFile('cabin'), [...SECONDS, ...options, path]);
    await expectTotal(path);
  });
});

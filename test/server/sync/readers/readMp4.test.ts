// MP4 files whose tables lie: what they make of few bytes must not fill the memory.
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WrittenPacket } from '../../../../server/recording/past/pastWriter.ts';
import { readFile } from '../../../../server/sync/readers/readFile.ts';
import { type Mp4File, readMp4 } from '../../../../server/sync/readers/readMp4.ts';
import { box, fileType, keySample, laterSample, mp4File } from '../../../support/sync/mp4File.ts';
import { createTempFolder, type TempFolder } from '../../../support/tempFolder.ts';

const MEGABYTE = 1024 * 1024;

let folder: TempFolder;
beforeAll(async () => {
  folder = await createTempFolder();
});
afterAll(() => folder.remove());

/** The packets of each part that is given. */
async function partsOf(file: Uint8Array): Promise<WrittenPacket[][]> {
  const path = `${folder.path}/file`;
  await writeFile(path, file);
  const parts: WrittenPacket[][] = [];
  await readFile(path, { channel: 1, spanMs: 1_000 }, { take: async (packets) => parts.push([...packets]) > 0 });
  return parts;
}

function bytesOf(packets: readonly WrittenPacket[]): number {
  return packets.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
}

/** Ten days after the first picture comes the second: all of the sound is between the two. */
function soundInBetween(sounds: number, soundBytes: number): Buffer {
  const key = keySample();
  const pictures = { ticks: 10 * 86_400, samples: [0, 0].map((at) => ({ at, bytes: key.length })) };
  const samples = Array.from({ length: sounds }, () => ({ at: key.length, bytes: soundBytes }));
  return mp4File(Buffer.concat([key, Buffer.alloc(soundBytes)]), { pictures, sound: { ticks: 1, samples } });
}

/** A file as long as it says, of which only the beginning is there; notes the longest piece that is asked for. */
function hugeFile(beginning: Buffer, size: number) {
  const asked = { longest: 0 };
  const read = async (target: Uint8Array, offset: number, length: number, position: number) => {
    asked.longest = Math.max(asked.longest, length);
    target.set(beginning.subarray(position, position + length), offset);
    return { bytesRead: length, buffer: target };
  };
  return { asked, file: { stat: async () => ({ size }), read } as unknown as Mp4File };
}

describe('MP4 files', () => {
  it('that name the same sound thousands of times are given in parts, and end where they grow beyond any file', async () => {
    const file = soundInBetween(6_000, 8_000);
    const parts = await partsOf(file);
    const limit = 2 * file.length + 8 * MEGABYTE;
    expect(bytesOf(parts.flat())).toBeGreaterThan(limit - MEGABYTE);
    expect(bytesOf(parts.flat())).toBeLessThanOrEqual(limit);
    // The first holds what was looked at before it is known whether pictures are reordered.
    for (const part of parts) expect(bytesOf(part)).toBeLessThan(5 * MEGABYTE);
  });

  it('of sound of a byte each are given in parts too', async () => {
    const parts = await partsOf(soundInBetween(100_000, 1));
    for (const part of parts) expect(part.length).toBeLessThan(100_000);
    expect(parts.flat().filter(({ isVideo }) => !isVideo).length).toBeGreaterThanOrEqual(100_000);
  });

  it('lose a picture that is longer than any may be, and those that refer to it', async () => {
    const samples = [keySample(), keySample(5 * MEGABYTE), laterSample(), keySample(), laterSample()];
    let at = 0;
    const pictures = {
      ticks: 1,
      samples: samples.map(({ length: bytes }) => {
        at += bytes;
        return { at: at - bytes, bytes };
      }),
    };
    const packets = (await partsOf(mp4File(Buffer.concat(samples), { pictures }))).flat();
    expect(packets.filter(({ isVideo }) => isVideo).map(({ isKey }) => isKey)).toEqual([true, true, false]);
  });

  it('whose tables are longer than any may be give nothing, and are not read into the memory', async () => {
    const size = 200 * MEGABYTE;
    const type = fileType();
    const tables = box('moov', Buffer.alloc(64));
    tables.writeUInt32BE(size - type.length, 0);
    const { asked, file } = hugeFile(Buffer.concat([type, tables]), size);
    const reading = (async () => {
      for await (const packets of readMp4(file)) expect(packets).toEqual([]);
    })();
    await expect(reading).rejects.toThrow('a part of the file takes');
    expect(asked.longest).toBeLessThan(64 * MEGABYTE);
  });
});

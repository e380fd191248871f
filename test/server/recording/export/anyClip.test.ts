// MP4s of any pictures, as ffprobe reads them.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Mp4Writer } from '../../../../server/recording/export/mp4/mp4Writer.ts';
import { readVideoTrack } from '../../../../server/recording/export/videoConfig.ts';
import { Codec } from '../../../../shared/protocol/stream/streamPacket.ts';
import { type AnyPicture, anyMp4, sampleOf } from '../../../support/media/clipPictures.ts';
import { findFfmpeg } from '../../../support/media/ffmpeg.ts';
import { runs } from '../../../support/runs.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';

const run = promisify(execFile);
const ffmpeg = findFfmpeg();
/** Each is a process of its own. */
const RUNS = runs(15);

function fileOf(pictures: readonly AnyPicture[]): Uint8Array {
  const [first] = pictures;
  const video = first && readVideoTrack(Codec.H264, first.bytes);
  if (video === undefined) throw new Error('the parameter sets cannot be read');
  const durationMs = Math.max(...pictures.map(({ timeUs }) => timeUs)) / 1000 + 40;
  const writer = new Mp4Writer({ video, sound: undefined, startMs: 0, durationMs });
  for (const picture of pictures) writer.addPicture(picture);
  writer.finish();
  return writer.take() ?? new Uint8Array();
}

describe.skipIf(ffmpeg === undefined)('a mp4 of any pictures', { timeout: 60_000 }, () => {
  test('has each of them for ffprobe, in order, at its time, byte for byte', async () => {
    const folder = await createTempFolder();
    onTestFinished(folder.remove);
    const path = join(folder.path, 'mp4.mp4');
    const what = ['-show_packets', '-show_data_hash', 'CRC32', '-of', 'json'];
    await fc.assert(
      fc.asyncProperty(anyMp4, async (pictures) => {
        await writeFile(path, fileOf(pictures));
        // The slices are noise: what a decoder says of them is of no interest.
        const { stdout } = await run(ffmpeg?.ffprobePath ?? '', ['-v', 'fatal', ...what, path], {
          maxBuffer: 16 * 1024 * 1024,
        });
        const { packets } = JSON.parse(stdout) as { packets: Readonly<Record<string, string>>[] };
        expect(packets.map(({ pts_time }) => Math.round(Number(pts_time) * 1e6))).toEqual(
          pictures.map(({ timeUs }) => timeUs),
        );
        expect(packets.map(({ flags }) => flags?.startsWith('K'))).toEqual(pictures.map(({ isKey }) => isKey));
        expect(packets.map(({ data_hash }) => data_hash)).toEqual(
          pictures.map(({ units }) => `CRC32:${crc32(sampleOf(units)).toString(16).padStart(8, '0')}`),
        );
        const decoded = packets.map(({ dts_time }) => Number(dts_time));
        expect(decoded.every((time, at) => at === 0 || time > (decoded[at - 1] ?? 0))).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });
});

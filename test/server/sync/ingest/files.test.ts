import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ffmpeg } from '../../../support/media/ffmpeg.ts';
import { findFfmpeg } from '../../../support/media/ffmpeg.ts';
import { gopReaderOf, readTrack } from '../../../support/media/readGroups.ts';
import {
  clipFile,
  FRAME_MS,
  writeByFfmpeg,
  writeMediaPackets,
  writeRaw,
  writeTruncated,
} from '../../../support/sync/deviceFiles.ts';
import { createIngestScene, FROM, type IngestScene } from '../../../support/sync/ingestScene.ts';

const SPAN_MS = 20_000;
const signal = new AbortController().signal;

let scene: IngestScene;
beforeEach(async () => {
  scene = await createIngestScene();
});
afterEach(async () => {
  expect(scene.faults).toEqual([]);
  await scene.close();
});

const at = (name: string): string => `${scene.folder.path}/${name}`;

async function recorded() {
  const window = { archiveId: 'BUS1', channel: 1, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
  const segments = await scene.stores.segments.find(window);
  const packets = await readTrack(gopReaderOf(scene.files, segments), { archiveId: 'BUS1', channel: 1 });
  const pictures = packets.filter(({ kind }) => kind === 'video');
  const sounds = packets.filter(({ kind }) => kind === 'audio');
  const shown = pictures.map(({ timeUs }) => timeUs / 1000).sort((left, right) => left - right);
  return { segments, pictures, sounds, shown };
}

/** Twenty seconds of 25 pictures each, from the moment on that was asked for. */
async function expectWhole({ hasSound = false } = {}): Promise<void> {
  const { segments, pictures, sounds, shown } = await recorded();
  expect(segments.map(({ startMs, endMs, origin }) => ({ startMs, endMs, origin }))).toEqual([
    { startMs: FROM, endMs: FROM + SPAN_MS, origin: 'fetched' },
  ]);
  expect(pictures).toHaveLength(SPAN_MS / FRAME_MS);
  shown.forEach((timeMs, number) => {
    expect(Math.abs(timeMs - FROM - number * FRAME_MS), `picture ${number}`).toBeLessThan(2);
  });
  expect(sounds.length > 0).toBe(hasSound);
}

describe('files of devices become segments', () => {
  it.each(['cabin', 'side'] as const)('raw pictures of %s, without times', async (name) => {
    await writeRaw(at('raw'), name);
    const outcome = await scene.ingest.file(at('raw'), scene.target(), signal);
    expect(outcome).toMatchObject({ kind: 'stored', addedMs: SPAN_MS });
    await expectWhole();
  });

  it.each(['cabin', 'side'] as const)('JT/T 1078 packets of %s that count from zero', async (name) => {
    await writeMediaPackets(at('packets'), name);
    await scene.ingest.file(at('packets'), scene.target(), signal);
    await expectWhole();
  });

  it('JT/T 1078 packets with dates that begin before what was asked for', async () => {
    await writeMediaPackets(at('packets'), 'cabin', { fromMs: FROM - 10_000 });
    await scene.ingest.file(at('packets'), scene.target(), signal);
    const { segments } = await recorded();
    expect(segments).toMatchObject([{ startMs: FROM, endMs: FROM + 10_000, deviceStartMs: FROM }]);
  });

  it('have a length, and say whether their dates count, before they are added', async () => {
    await writeRaw(at('raw'), 'cabin');
    await writeMediaPackets(at('packets'), 'cabin', { fromMs: FROM - 10_000 });
    await writeFile(at('none'), 'no video');
    const lengthOf = (name: string) => scene.ingest.length(at(name), scene.target(), signal);
    expect(await lengthOf('raw')).toEqual({ isDated: false, lengthMs: SPAN_MS });
    expect(await lengthOf('packets')).toEqual({ isDated: true, lengthMs: SPAN_MS });
    expect(await lengthOf('none')).toBeUndefined();
    expect((await recorded()).segments).toEqual([]);
  });

  it('a file that comes again adds nothing', async () => {
    await writeRaw(at('raw'), 'cabin');
    await scene.ingest.file(at('raw'), scene.target(), signal);
    const again = await scene.ingest.file(at('raw'), scene.target(), signal);
    expect(again).toEqual({ kind: 'stored', addedMs: 0, bytes: 0 });
    await expectWhole();
  });

  it('two files for one range that come at once are kept once', async () => {
    await writeRaw(at('raw'), 'cabin');
    const outcomes = await Promise.all(
      [1, 2].map(() => scene.ingest.file(at('raw'), scene.target({ quality: 'sub' }), signal)),
    );
    expect(outcomes.map((each) => (each.kind === 'stored' ? each.addedMs : -1)).sort()).toEqual([0, SPAN_MS]);
    await expectWhole();
  });

  it('a file that is gone, or given up, fails', async () => {
    await writeRaw(at('raw'), 'cabin');
    const given = await scene.ingest.file(at('raw'), scene.target(), AbortSignal.abort());
    expect(given).toEqual({ kind: 'failed', fault: 'incomplete' });
    const gone = await scene.ingest.file(at('none'), scene.target(), signal);
    expect(gone).toEqual({ kind: 'failed', fault: 'internal' });
    expect(scene.faults.splice(0).map(({ message }) => message)).toEqual([
      'what was fetched from a device could not be recorded',
    ]);
    // The channel is free again.
    await scene.ingest.file(at('raw'), scene.target(), signal);
    await expectWhole();
  });

  it.each([
    ['empty', new Uint8Array()],
    ['text', Buffer.from('no video at all '.repeat(1_000))],
    ['zeros', new Uint8Array(100_000)],
    ['a box that lies', Buffer.from('00000018667479706d703432000000006d70343269736f6dffffffff6d6f6f76', 'hex')],
    ['packs of nothing', Buffer.from('000001ba4400040004010186'.repeat(500), 'hex')],
  ])('%s is unreadable', async (_name, bytes) => {
    await writeFile(at('file'), bytes);
    expect(await scene.ingest.file(at('file'), scene.target(), signal)).toEqual({ kind: 'unreadable' });
  });
});

describe.skipIf(findFfmpeg() === undefined)('files of another program', () => {
  const { ffmpegPath } = (findFfmpeg() ?? {}) as Ffmpeg;
  const aac = ['-c:a', 'aac', '-ac', '1'];

  it.each([
    ['MP4', 'cabin', ['-f', 'mp4', ...aac]],
    ['MP4 with its table in front', 'cabin', ['-f', 'mp4', '-movflags', '+faststart', ...aac]],
    ['fragmented MP4', 'cabin', ['-f', 'mp4', '-movflags', '+frag_keyframe+delay_moov', ...aac]],
    ['MOV with G.711', 'cabin', ['-f', 'mov', '-c:a', 'pcm_alaw', '-ac', '1']],
    ['MP4 of H.265', 'side', ['-f', 'mp4', '-tag:v', 'hvc1', ...aac]],
    ['MP4 of H.265 with its sets in band', 'side', ['-f', 'mp4', '-tag:v', 'hev1', ...aac]],
  ] as const)('%s', async (_name, clip, options) => {
    await writeByFfmpeg(ffmpegPath, clipFile(clip), [...options, at('file')]);
    expect(await scene.ingest.file(at('file'), scene.target(), signal)).toMatchObject({ kind: 'stored' });
    await expectWhole({ hasSound: true });
  });

  it.each([
    ['H.264', 'cabin'],
    ['H.265', 'side'],
  ] as const)('MPEG program stream of %s', async (_name, clip) => {
    await writeByFfmpeg(ffmpegPath, clipFile(clip), ['-an', '-f', 'vob', at('file')]);
    expect(await scene.ingest.file(at('file'), scene.target(), signal)).toMatchObject({ kind: 'stored' });
    await expectWhole();
  });

  it.each([
    ['MP4 with its table in front', ['-f', 'mp4', '-movflags', '+faststart']],
    ['fragmented MP4', ['-f', 'mp4', '-movflags', '+frag_keyframe+empty_moov']],
    ['MPEG program stream', ['-f', 'vob']],
  ] as const)('%s that was cut short gives what is whole', async (_name, options) => {
    await writeByFfmpeg(ffmpegPath, clipFile('cabin'), ['-an', ...options, at('whole')]);
    await writeTruncated(at('file'), at('whole'), 0.6);
    const outcome = await scene.ingest.file(at('file'), scene.target(), signal);
    expect(outcome.kind).toBe('stored');
    const { pictures } = await recorded();
    expect(pictures.length).toBeGreaterThan(200);
    expect(pictures.length).toBeLessThan(400);
  });

  it('an MP4 whose table is missing is unreadable', async () => {
    await writeByFfmpeg(ffmpegPath, clipFile('cabin'), ['-an', '-f', 'mp4', at('whole')]);
    await writeTruncated(at('file'), at('whole'), 0.6);
    expect(await scene.ingest.file(at('file'), scene.target(), signal)).toEqual({ kind: 'unreadable' });
  });
});

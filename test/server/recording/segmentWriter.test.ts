// A segment's files on a real disk, let go of while syncs are under way or wait their turn.
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { createRecordingFiles, type RecordingFile, type RecordingFiles } from '../../../server/recording/files.ts';
import type { SegmentEnd, SegmentGroup } from '../../../server/recording/segmentFormat.ts';
import { MARKER_NAME } from '../../../server/recording/segmentPath.ts';
import { createSegmentWriter } from '../../../server/recording/segmentWriter.ts';
import { mediaUs, wallMs } from '../../../shared/protocol/time.ts';
import { createTempFolder } from '../../support/tempFolder.ts';

const START_MS = wallMs(Date.UTC(2026, 10, 21, 12));
const NAME = { archiveId: 'BUS1', channel: 1, quality: 'main', startMs: START_MS } as const;
const PICTURES = new Uint8Array(1_000);

const GROUP: SegmentGroup = {
  offset: 0,
  keyOffset: 0,
  keyBytes: 1_000,
  formatOffset: undefined,
  mediaTimeUs: mediaUs(0),
  wallTimeMs: START_MS,
  deviceTimeMs: START_MS,
  keyChecksum: 0,
  isDamaged: false,
  bytes: 1_000,
  checksum: 0,
  durationMs: 1_000,
};
const END: SegmentEnd = { bytes: 1_000, endMs: wallMs(START_MS + 1_000), deviceEndMs: START_MS, groupCount: 1 };

let files: RecordingFiles;
beforeEach(async () => {
  const folder = await createTempFolder();
  onTestFinished(() => folder.remove());
  files = createRecordingFiles(folder.path);
  await (await files.createRoot(MARKER_NAME)).close();
});

it('a sync and an end that come after a segment was abandoned touch no closed file', async () => {
  const writer = await createSegmentWriter(files, NAME);
  await writer.append([PICTURES]);
  const abandoned = writer.abandon();
  await expect(writer.sync()).resolves.toBeUndefined();
  await expect(writer.finish(GROUP, END)).resolves.toBe(false);
  await abandoned;
});

it('a segment that is whole says so', async () => {
  const writer = await createSegmentWriter(files, NAME);
  await writer.append([PICTURES]);
  await expect(writer.finish(GROUP, END)).resolves.toBe(true);
});

it('files are closed behind the sync under way, and what waited behind it has nothing to do', async () => {
  const calls: string[] = [];
  let letGo: () => void = () => undefined;
  const isHeld = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const watched = (file: RecordingFile): RecordingFile => ({
    ...file,
    sync: async () => {
      calls.push('sync');
      await isHeld;
      await file.sync();
      calls.push('synced');
    },
    close: async () => {
      calls.push('close');
      await file.close();
    },
  });
  const watchedFiles = { ...files, create: async (path: string) => watched(await files.create(path)) };
  const writer = await createSegmentWriter(watchedFiles, NAME);
  await writer.append([PICTURES]);
  const syncs = [writer.sync(), writer.sync()];
  const whole = writer.finish(GROUP, END);
  await expect.poll(() => calls).toEqual(['sync']);
  const abandoned = writer.abandon();
  letGo();
  await Promise.all([...syncs, abandoned]);
  await expect(whole).resolves.toBe(false);
  expect(calls.slice(0, 3)).toEqual(['sync', 'synced', 'close']);
});

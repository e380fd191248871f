// What is written of groups that refer to each other, on a real disk.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { HubPacket } from '../../../../server/media/hubPacket.ts';
import { createRecordingFiles } from '../../../../server/recording/files.ts';
import { type FinishedSegment, PastWriter } from '../../../../server/recording/past/pastWriter.ts';
import { MARKER_NAME, segmentPath } from '../../../../server/recording/segmentPath.ts';
import { PacketFlag } from '../../../../shared/protocol/stream/streamPacket.ts';
import { createTempFolder } from '../../../support/tempFolder.ts';
import { GROUP_PICTURES, NOON, PICTURE_MS, picture } from '../recordingScene.ts';

const GROUP_MS = GROUP_PICTURES * PICTURE_MS;

const groupAt = (number: number): HubPacket[] =>
  Array.from({ length: GROUP_PICTURES }, (_, at) => picture(number * GROUP_PICTURES + at, { isRecovering: true }));

it('says of a group with gradual refresh that it follows none, where the one before it is not in front of it', async () => {
  const folder = await createTempFolder();
  onTestFinished(() => folder.remove());
  const files = createRecordingFiles(folder.path);
  await (await files.createRoot(MARKER_NAME)).close();
  const closed: FinishedSegment[] = [];
  const writer = new PastWriter(
    { archiveId: 'BUS1', channel: 1, quality: 'main' },
    {
      files,
      origin: 'fetched',
      runSync: (job) => job(),
      onClosed: (segment) => closed.push(segment),
      onWritten: () => undefined,
    },
  );
  for (const number of [0, 1, 3, 4]) {
    const fromMs = NOON + number * GROUP_MS;
    await writer.add({ fromMs, toMs: fromMs + GROUP_MS, format: undefined, packets: groupAt(number) });
  }
  await writer.finish();
  const marks = closed.map(({ name, groups }) => {
    const bytes = readFileSync(join(folder.path, segmentPath(name)));
    return groups.map(({ keyOffset }) => (bytes[keyOffset + 3] ?? 0) & PacketFlag.Discontinuity);
  });
  expect(marks).toEqual([
    [PacketFlag.Discontinuity, 0],
    [PacketFlag.Discontinuity, 0],
  ]);
});

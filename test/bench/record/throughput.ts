// The same bytes as fast as the disk takes them: through the channels' recorders, and by a loop that only writes.
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { ChannelRecorder } from '../../../server/recording/channelRecorder.ts';
import { createRecordingFiles } from '../../../server/recording/files.ts';
import { MemoryBudget } from '../../../server/recording/memoryBudget.ts';
import { MARKER_NAME } from '../../../server/recording/segmentPath.ts';
import { FRAME_MS, PAYLOAD_BYTES } from './messages.ts';
import { benchPacket } from './packets.ts';

const CHANNELS = 50;
const SECONDS = 60;
/** Frames between two flushes, as many as in the recorder. */
const FRAMES_A_FLUSH = 8;
const FRAMES = (SECONDS * 1_000) / FRAME_MS;
const START_MS = Date.UTC(2026, 10, 21);
const BYTES = CHANNELS * FRAMES * (PAYLOAD_BYTES + 24);
const channels = Array.from({ length: CHANNELS }, (_, at) => at + 1);

/** Megabytes a second, measured until all of it is safe on the disk. */
export async function recorderThroughput(folder: string): Promise<number> {
  const files = createRecordingFiles(folder);
  await (await files.createRoot(MARKER_NAME)).close();
  let now = START_MS;
  const deps = {
    files,
    now: () => now,
    budget: new MemoryBudget(1e9),
    syncIntervalMs: 5_000,
    runSync: (job: () => Promise<void>) => job(),
    onClosed: () => undefined,
    onWritten: () => undefined,
    onFailed: (error: unknown) => {
      throw error;
    },
    onDropped: () => {
      throw new Error('dropped');
    },
  };
  const recorders = channels.map(
    (channel) => new ChannelRecorder({ archiveId: 'BENCH', channel, quality: 'main' }, deps),
  );
  const startedMs = performance.now();
  for (let frame = 0; frame < FRAMES; frame++) {
    now = START_MS + frame * FRAME_MS;
    recorders.forEach((recorder, at) => {
      recorder.deliver(benchPacket(frame, at + 1, now));
    });
    if (frame % FRAMES_A_FLUSH === 0) await Promise.all(recorders.map((recorder) => recorder.flush()));
  }
  await Promise.all(recorders.map((recorder) => recorder.close()));
  return BYTES / 1e6 / ((performance.now() - startedMs) / 1_000);
}

export async function bareThroughput(folder: string): Promise<number> {
  const startedMs = performance.now();
  const handles = await Promise.all(channels.map((channel) => open(join(folder, `${channel}.bin`), 'a')));
  let pending: Uint8Array[][] = channels.map(() => []);
  const flush = async (): Promise<void> => {
    const buffers = pending;
    pending = channels.map(() => []);
    await Promise.all(handles.map((handle, at) => handle.writev(buffers[at] ?? [])));
  };
  for (let frame = 0; frame < FRAMES; frame++) {
    const now = START_MS + frame * FRAME_MS;
    for (const [at, list] of pending.entries()) list.push(benchPacket(frame, at + 1, now).bytes);
    if (frame % FRAMES_A_FLUSH === 0) await flush();
    // The files are synced as often as the recorder makes its files safe.
    if (frame % (5_000 / FRAME_MS) === 0) await Promise.all(handles.map((handle) => handle.datasync()));
  }
  await flush();
  await Promise.all(handles.map((handle) => handle.datasync()));
  await Promise.all(handles.map((handle) => handle.close()));
  return BYTES / 1e6 / ((performance.now() - startedMs) / 1_000);
}

// How long the recorder takes to bring files and database into agreement when it starts, with a hundred thousand segments.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createRecordingFiles } from '../../../server/recording/files.ts';
import { recover } from '../../../server/recording/recovery.ts';
import { encodeSidecar, type SegmentIndex } from '../../../server/recording/segmentFormat.ts';
import { MARKER_NAME, segmentPath, sidecarPath } from '../../../server/recording/segmentPath.ts';
import { openDatabase } from '../../../server/store/engine/database.ts';
import type { Segment, SegmentStore } from '../../../server/store/recordings/segments.ts';
import { createStores } from '../../../server/store/stores.ts';
import { mediaUs, wallMs } from '../../../shared/protocol/time.ts';
import { createTempFolder } from '../../support/tempFolder.ts';
import { rounded } from '../statistics.ts';
import type { Row } from '../table.ts';

const DEVICES = 10;
const CHANNELS = 8;
const SEGMENTS_A_CHANNEL = 1_250;
const SEGMENT_MS = 60_000;
const FIRST_MS = Date.UTC(2026, 9, 22);
/** What a segment holds does not matter: it is looked at only where its sidecar has no end. */
const BYTES = 100;
const AT_A_TIME = 1_000;

export async function benchStart(): Promise<Row[]> {
  const folder = await createTempFolder();
  const database = await openDatabase({ engine: 'sqlite', file: `${folder.path}/bench.db` });
  try {
    const root = join(folder.path, 'recordings');
    const { segments } = createStores(database.db);
    await fill(root, segments);
    const { segments: count } = await segments.totals();
    const start = async (): Promise<number> => timed(() => recover({ ...deps(root, segments), archiveIds: [] }));
    const barely = await timed(() => readdir(root, { recursive: true }));
    const inOrder = await start();
    await forgetAll(segments);
    const lost = await start();
    const { segments: found } = await segments.totals();
    if (found !== count) throw new Error(`${found} of ${count} segments were found again`);
    const row = (what: string, tookMs: number): Row => ({
      database: what,
      segments: count,
      'bare listing ms': rounded(barely),
      'start ms': rounded(tookMs),
      ratio: rounded(tookMs / barely),
    });
    return [row('as it was', inOrder), row('lost', lost)];
  } finally {
    await database.close();
    await folder.remove();
  }
}

const deps = (root: string, segments: SegmentStore) => ({ files: createRecordingFiles(root), segments });

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await run();
  return performance.now() - startedMs;
}

async function fill(root: string, store: SegmentStore): Promise<void> {
  await mkdir(root, { recursive: true });
  await writeFile(join(root, MARKER_NAME), '');
  for (let device = 0; device < DEVICES; device++) {
    for (let channel = 1; channel <= CHANNELS; channel++) await fillChannel(root, store, `DEV${device}`, channel);
  }
}

async function fillChannel(root: string, store: SegmentStore, archiveId: string, channel: number): Promise<void> {
  const segments = Array.from({ length: SEGMENTS_A_CHANNEL }, (_, index) => segmentAt(archiveId, channel, index));
  const folders = new Set(segments.map((segment) => dirname(join(root, segmentPath(segment)))));
  for (const folder of folders) await mkdir(folder, { recursive: true });
  for (let at = 0; at < segments.length; at += AT_A_TIME) {
    await Promise.all(
      segments
        .slice(at, at + AT_A_TIME)
        .flatMap((segment) => [
          writeFile(join(root, segmentPath(segment)), new Uint8Array(segment.bytes)),
          writeFile(join(root, sidecarPath(segment)), encodeSidecar(indexOf(segment))),
        ]),
    );
  }
  await store.add(segments);
}

function segmentAt(archiveId: string, channel: number, index: number): Segment {
  const startMs = wallMs(FIRST_MS + index * SEGMENT_MS);
  const endMs = wallMs(startMs + SEGMENT_MS);
  const device = { deviceStartMs: startMs, deviceEndMs: endMs };
  return { archiveId, channel, quality: 'main', startMs, endMs, ...device, bytes: BYTES, groupCount: 1 };
}

function indexOf({ startMs, endMs, bytes }: Segment): SegmentIndex {
  const places = { offset: 0, bytes, keyOffset: 0, keyBytes: bytes, formatOffset: undefined };
  const times = { mediaTimeUs: mediaUs(startMs * 1_000), wallTimeMs: startMs, deviceTimeMs: startMs };
  const group = { ...places, ...times, durationMs: SEGMENT_MS, checksum: 0, keyChecksum: 0, isDamaged: false };
  return { startMs, groups: [group], end: { bytes, endMs, deviceEndMs: endMs, groupCount: 1 } };
}

async function forgetAll(store: SegmentStore): Promise<void> {
  for (;;) {
    const page = await store.oldest(5_000);
    if (page.length === 0) return;
    await store.remove(page);
  }
}

// A session plays on from what was recorded into what was fetched, and shows no gap between them.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GopReader } from '../../../../server/recording/playback/gopReader.ts';
import { createSegmentDirectory } from '../../../../server/recording/playback/segmentDirectory.ts';
import { wallMs } from '../../../../shared/protocol/time.ts';
import { writeRaw } from '../../../support/sync/deviceFiles.ts';
import { createIngestScene, FROM, HOUR_MS, type IngestScene } from '../../../support/sync/ingestScene.ts';
import { SessionScene } from '../../recording/playback/sessionScene.ts';

const FETCHED_MS = 20_000;
const FRAME_MS = 40;
const PICTURES = FETCHED_MS / FRAME_MS;

let scene: IngestScene;
beforeEach(async () => {
  scene = await createIngestScene();
});
afterEach(() => scene.close());

it('plays two files that were fetched as one recording', async () => {
  const path = `${scene.folder.path}/raw`;
  await writeRaw(path, 'road', PICTURES);
  const { signal } = new AbortController();
  const later = { deviceFromMs: wallMs(FROM + FETCHED_MS), deviceToMs: wallMs(FROM + 2 * FETCHED_MS) };
  await scene.ingest.file(path, scene.target(later), signal);
  await scene.ingest.file(path, scene.target(), signal);
  const directory = createSegmentDirectory(scene.recorder().index);
  const playback = new SessionScene(new GopReader({ files: scene.files, directory }), FROM + HOUR_MS);
  const { viewer } = playback.watch('BUS1', 1, FROM, {});
  await playback.time.advance(2 * FETCHED_MS);
  expect(viewer.pictureTimes).toEqual(Array.from({ length: 2 * PICTURES }, (_, number) => FROM + number * FRAME_MS));
  expect(viewer.events.filter(({ type }) => type === 'error')).toEqual([]);
  playback.sessions.close();
  expect([...playback.faults, ...scene.faults]).toEqual([]);
});

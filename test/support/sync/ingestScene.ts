// An ingest into a real recorder's folder and database, its files read in the test's own thread unless it asks for another.

import type { OnLimit } from '../../../server/limits/limit.ts';
import { createIngest } from '../../../server/sync/ingest/createIngest.ts';
import type { Ingest, IngestTarget } from '../../../server/sync/ingest/ingest.ts';
import { readFile } from '../../../server/sync/readers/readFile.ts';
import type { ReadRecording } from '../../../server/sync/readers/readRecording.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { createRecorderScene, type RecorderScene } from '../../server/recording/recorderScene.ts';
import { NOON } from '../../server/recording/recordingScene.ts';
import { OWNERS_BY_HUNDRED } from '../fakes/deviceOwners.ts';

export const HOUR_MS = 3_600_000;
/** What is asked for begins an hour before the gateway's noon. */
export const FROM = NOON - HOUR_MS;

export interface IngestScene extends RecorderScene {
  readonly ingest: Ingest;
  readonly faults: Error[];
  target(over?: Partial<IngestTarget>): IngestTarget;
}

const readHere: ReadRecording = ({ path, hints, take }) => readFile(path, hints, { take });

export async function createIngestScene(read: ReadRecording = readHere, onLimit?: OnLimit): Promise<IngestScene> {
  const scene = await createRecorderScene();
  const recorder = await scene.startRecorder();
  const faults: Error[] = [];
  const ingest = createIngest({
    past: recorder.past,
    recorded: recorder.index,
    store: () => recorder.store(),
    read,
    ownerOf: OWNERS_BY_HUNDRED.ofDevice,
    now: () => scene.clock.now,
    onFault: (error) => void faults.push(error),
    onLimit,
  });
  return Object.assign(scene, {
    ingest,
    faults,
    target: (over: Partial<IngestTarget> = {}): IngestTarget => ({
      archiveId: 'BUS1',
      channel: 1,
      quality: 'main',
      deviceFromMs: wallMs(FROM),
      deviceToMs: wallMs(FROM + 20_000),
      toGatewayMs: (deviceMs) => wallMs(deviceMs),
      ...over,
    }),
  });
}

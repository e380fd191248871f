// What was fetched from devices becomes recordings.

import { deviceIdOfArchive } from '../../archiveId.ts';
import { createRunAfter } from '../../faults/timers.ts';
import type { DeviceOwners } from '../../limits/deviceOwners.ts';
import type { OnLimit } from '../../limits/limit.ts';
import type { Log } from '../../process/log.ts';
import type { Recorder } from '../../recording/recorder.ts';
import { createIngest } from '../../sync/ingest/createIngest.ts';
import type { Ingest } from '../../sync/ingest/ingest.ts';
import { createReadRecording } from './ingestThreads.ts';

export interface StartIngestDeps {
  readonly recorder: Pick<Recorder, 'past' | 'index' | 'store'>;
  readonly owners: Pick<DeviceOwners, 'ofDevice'>;
  readonly log: Pick<Log, 'error'>;
  readonly onLimit: OnLimit;
}

export function startIngest({ recorder, owners, log, onLimit }: StartIngestDeps): Ingest {
  const onFault = (error: Error): void => log.error({ err: error }, 'data sync');
  return createIngest({
    past: recorder.past,
    recorded: recorder.index,
    store: () => recorder.store(),
    read: createReadRecording({ runAfter: createRunAfter(onFault), onFault, onLimit }),
    ownerOf: (archiveId) => owners.ofDevice(deviceIdOfArchive(archiveId)),
    now: Date.now,
    onFault,
    onLimit,
  });
}

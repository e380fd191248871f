// What was fetched from devices becomes recordings.

import { deviceIdOfArchive } from '../../archiveId.ts';
import type { DeviceOwners } from '../../limits/deviceOwners.ts';
import type { Recorder } from '../../recording/recorder.ts';
import { createIngest } from '../../sync/ingest/createIngest.ts';
import type { Ingest } from '../../sync/ingest/ingest.ts';
import { type Context, toolsOf } from '../context.ts';
import { createReadRecording } from './ingestThreads.ts';

export function startIngest(
  context: Context,
  recorder: Pick<Recorder, 'past' | 'index' | 'store'>,
  owners: Pick<DeviceOwners, 'ofDevice'>,
): Ingest {
  const { runAfter, onFault } = toolsOf(context, 'data sync');
  const { onLimit } = context;
  return createIngest({
    past: recorder.past,
    recorded: recorder.index,
    store: () => recorder.store(),
    read: createReadRecording({ runAfter, onFault, onLimit }),
    ownerOf: (archiveId) => owners.ofDevice(deviceIdOfArchive(archiveId)),
    now: Date.now,
    onFault,
    onLimit,
  });
}

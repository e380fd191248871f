// Recordings as the calls of the test's app reach them.
import { EvidenceRoom } from '../../../server/events/evidence/evidenceRoom.ts';
import { FleetOwners } from '../../../server/fleet/fleetOwners.ts';
import type { AppDeps } from '../../../server/http/app.ts';
import { ExportJobs } from '../../../server/recording/export/exportJobs.ts';
import { createRecordingFiles } from '../../../server/recording/files.ts';
import { GopReader } from '../../../server/recording/playback/gopReader.ts';
import { createSegmentDirectory } from '../../../server/recording/playback/segmentDirectory.ts';
import type { Stores } from '../../../server/store/stores.ts';
import { noFaults } from '../../support/fakes/noFaults.ts';

export const MAX_EVIDENCE_BYTES = 10_000;

type TestRecordings = Pick<AppDeps, 'recorded' | 'gopReader' | 'exportJobs' | 'evidenceRoom'> & {
  /** Knows the owner of no device until the owners are read. */
  readonly owners: FleetOwners;
};

export function createTestRecordings(
  stores: Stores,
  { folder, now }: { readonly folder: string; readonly now: () => number },
): TestRecordings {
  const owners = new FleetOwners({ store: stores.fleet, runAfter: () => () => {}, onFault: noFaults });
  return {
    owners,
    recorded: stores.segments,
    gopReader: new GopReader({
      files: createRecordingFiles(folder),
      directory: createSegmentDirectory({ ...stores.segments, openIndex: () => undefined }),
    }),
    exportJobs: new ExportJobs({ owners, now, runAfter: () => () => {}, onLimit: () => undefined }),
    evidenceRoom: new EvidenceRoom({ ...stores, owners, maximumBytes: MAX_EVIDENCE_BYTES, now }),
  };
}

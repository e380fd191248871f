// Turns what was fetched from a device into segments: files read by threads, and packets that a device plays.
import { faultOf, type OnFault } from '../../faults/onFault.ts';
import { GroupTurns } from '../../limits/groupTurns.ts';
import type { WrittenPacket } from '../../recording/past/pastWriter.ts';
import type { ReadRecording } from '../readers/readRecording.ts';
import { type FileAsked, hintsOf, lengthOfFile } from './fileLength.ts';
import type { Ingest, IngestOutcome } from './ingest.ts';
import { IngestRun, type IngestRunDeps } from './ingestRun.ts';
import { PacketQueue } from './packetQueue.ts';

export interface IngestDeps extends IngestRunDeps {
  readonly read: ReadRecording;
  /** The member group that the archive's recordings count for. */
  readonly ownerOf: (archiveId: string) => number;
  readonly onFault: OnFault;
}

/** Reading needs a processor for each file. The others wait, and member groups take turns. */
const FILES_AT_A_TIME = 2;

const DISK_FULL: IngestOutcome = { kind: 'failed', fault: 'disk-full' };

export function createIngest(deps: IngestDeps): Ingest {
  const files = new GroupTurns(FILES_AT_A_TIME);
  return {
    file: async (path, target, signal) => {
      try {
        return await ingestFile(deps, { path, target, signal }, files);
      } catch (error) {
        deps.onFault(faultOf('what was fetched from a device could not be recorded', error));
        return { kind: 'failed', fault: 'internal' };
      }
    },
    length: async (path, target, signal) => {
      try {
        return await files.run(deps.ownerOf(target.archiveId), () => lengthOfFile(deps.read, { path, target, signal }));
      } catch (error) {
        deps.onFault(faultOf('what was fetched from a device could not be read', error));
        return undefined;
      }
    },
    stream: (target) =>
      new PacketQueue({
        begin: () => IngestRun.begin(target, deps),
        onLimit: deps.onLimit,
        onFault: (error) => deps.onFault(faultOf('what a device played could not be recorded', error)),
      }),
  };
}

async function ingestFile(
  deps: IngestDeps,
  { path, target, signal }: FileAsked,
  files: GroupTurns,
): Promise<IngestOutcome> {
  if (signal.aborted) return { kind: 'failed', fault: 'incomplete' };
  if (!deps.past.mayWrite) return DISK_FULL;
  const run = await IngestRun.begin(target, deps);
  let outcome: IngestOutcome | undefined;
  try {
    const hints = hintsOf(target);
    const take = (packets: readonly WrittenPacket[]): Promise<boolean> => run.take(packets);
    await files.run(deps.ownerOf(target.archiveId), () => deps.read({ path, hints, signal, take }));
  } finally {
    outcome = await run.end();
  }
  if (outcome?.kind === 'failed') return outcome;
  if (signal.aborted) return { kind: 'failed', fault: 'incomplete' };
  return outcome ?? { kind: 'unreadable' };
}

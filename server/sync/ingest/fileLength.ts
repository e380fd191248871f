// The length of a file that a device has sent, and whether it has the time of its recording. It is read like a file that is added.
import type { FileLength } from '../plan/undatedFiles.ts';
import type { ReadRecording } from '../readers/readRecording.ts';
import { isTrustedDate } from './deviceTimes.ts';
import { type CollectedGroup, GroupCollector } from './groupCollector.ts';
import type { IngestTarget } from './ingest.ts';

export interface FileAsked {
  readonly path: string;
  readonly target: IngestTarget;
  readonly signal: AbortSignal;
}

/** Undefined when nothing can be read. */
export async function lengthOfFile(
  read: ReadRecording,
  { path, target, signal }: FileAsked,
): Promise<FileLength | undefined> {
  const collector = new GroupCollector();
  let first: CollectedGroup | undefined;
  let last: CollectedGroup | undefined;
  const add = (group: CollectedGroup | undefined): void => {
    first ??= group;
    last = group ?? last;
  };
  await read({
    path,
    hints: hintsOf(target),
    signal,
    take: async (packets) => {
      for (const packet of packets) add(collector.push(packet)?.group);
      return true;
    },
  });
  add(collector.end()?.group);
  if (first === undefined || last === undefined) return undefined;
  const lengthMs = (last.key.mediaTimeUs - first.key.mediaTimeUs) / 1000 + last.spanMs;
  return { isDated: isTrustedDate(first.key.deviceTimeMs, target), lengthMs };
}

export function hintsOf({ channel, deviceFromMs, deviceToMs }: IngestTarget) {
  return { channel, spanMs: deviceToMs - deviceFromMs };
}

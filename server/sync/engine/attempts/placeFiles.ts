// Finds the places of the files of one upload in the requested span.
import { wallMs } from '../../../../shared/protocol/time.ts';
import type { Ingest, IngestTarget } from '../../ingest/ingest.ts';
import { type FileLength, placesOf } from '../../plan/undatedFiles.ts';
import type { WholeFile } from './wholeFiles.ts';

export interface Placing {
  readonly target: IngestTarget;
  /** Whether more files were sent than these. */
  readonly isPartial: boolean;
  readonly length: Ingest['length'];
  readonly signal: AbortSignal;
}

/** Without a target, the file could belong anywhere in the requested span. */
export type PlacedFile = WholeFile & { readonly target?: IngestTarget };

export async function placeFiles(whole: readonly WholeFile[], placing: Placing): Promise<PlacedFile[]> {
  const { target, isPartial, length: lengthOf, signal } = placing;
  if (whole.length === 1 && !isPartial) return whole.map((file) => ({ ...file, target }));
  const lengths = new Map<WholeFile, FileLength>();
  for (const file of whole) {
    const length = await lengthOf(file.path, target, signal);
    if (length !== undefined) lengths.set(file, length);
  }
  const askedMs = target.deviceToMs - target.deviceFromMs;
  const places = placesOf([...lengths.values()], isPartial ? undefined : askedMs);
  const readable = [...lengths.keys()];
  return whole.map((file) => {
    const length = lengths.get(file);
    if (length === undefined || length.isDated) return { ...file, target };
    if (places.kind === 'unknown') return file;
    const startMs = places.startsMs[readable.indexOf(file)] ?? 0;
    return { ...file, target: { ...target, deviceFromMs: wallMs(target.deviceFromMs + startMs) } };
  });
}

import { errorCode, type RecordingFile, type RecordingFiles, readWhole } from '../files.ts';
import { scanSegment } from '../scanSegment.ts';
import { decodeSidecar, type SegmentIndex } from '../segmentFormat.ts';
import { type SegmentName, segmentPath, sidecarPath } from '../segmentPath.ts';

/**
 * The index of a segment that is no longer written, from its sidecar; made anew in memory from the packets when that is
 * missing or does not fit. Undefined when there is no such segment.
 */
export async function readSegmentIndex(files: RecordingFiles, name: SegmentName): Promise<SegmentIndex | undefined> {
  let file: RecordingFile;
  try {
    file = await files.open(segmentPath(name), 'read');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const sidecar = await readWhole(files, sidecarPath(name));
    const read = sidecar === undefined ? undefined : decodeSidecar(sidecar);
    const known = read?.kind === 'read' && read.index.startMs === name.startMs ? read.index : undefined;
    if (known?.end !== undefined) return known;
    return (await scanSegment(file, name.startMs, known?.groups ?? [])).index;
  } finally {
    await file.close();
  }
}

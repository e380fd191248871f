// One segment, opened for reading: groups by their checksums, packets from a key frame on.
import { crc32 } from 'node:zlib';
import { readMessage, type StreamPacket } from '../../shared/protocol/stream/streamPacket.ts';
import { type WallMs, wallMs } from '../../shared/protocol/time.ts';
import { errorCode, type RecordingFile, type RecordingFiles, readFully, readWhole } from './files.ts';
import { scanSegment } from './scanSegment.ts';
import { decodeSidecar, type SegmentGroup, type SegmentIndex } from './segmentFormat.ts';
import { type SegmentName, segmentPath, sidecarPath } from './segmentPath.ts';

export type GroupRead =
  | {
      readonly kind: 'intact';
      /** In decoding order; payloads are views into one buffer that nobody else holds. */
      readonly packets: readonly StreamPacket[];
      /** The group's bytes as they were relayed. */
      readonly bytes: Uint8Array<ArrayBuffer>;
    }
  /** Its checksum does not hold: the group is lost, the next one is not. */
  | { readonly kind: 'damaged' };

export type KeyRead = { readonly kind: 'intact'; readonly packet: StreamPacket } | { readonly kind: 'damaged' };

/** A packet of a segment and when it is shown. */
export interface PlacedPacket {
  readonly packet: StreamPacket;
  /** The gateway's clock. */
  readonly wallTimeMs: number;
  readonly group: SegmentGroup;
}

export type SegmentPart =
  | ({ readonly kind: 'packet' } & PlacedPacket)
  /** Nothing can be shown from here to `untilMs`. */
  | { readonly kind: 'damaged'; readonly fromMs: WallMs; readonly untilMs: WallMs };

/** Holds one file handle until it is closed. */
export interface SegmentReader {
  readonly name: SegmentName;
  readonly index: SegmentIndex;
  readGroup(group: SegmentGroup): Promise<GroupRead>;
  /** The key frame alone: what fast play and the first picture need. */
  readKeyFrame(group: SegmentGroup): Promise<KeyRead>;
  /** The `format` event in force at the group's key frame; undefined without sound. */
  readFormat(group: SegmentGroup): Promise<StreamPacket | undefined>;
  /** Everything from the group with this number on, group by group: at most one group is held in memory. */
  parts(fromGroup: number): AsyncGenerator<SegmentPart, void, undefined>;
  close(): Promise<void>;
}

/** Event packets are some 90 bytes; a guess that is enough spares a second read. */
const FORMAT_READ_BYTES = 1024;

/**
 * Opens a segment. `index` is that of a segment that is still written (the recorder has it); otherwise the sidecar is
 * read, and made anew in memory from the packets when it is missing or does not fit. Undefined when there is no such file.
 */
export async function openSegment(
  files: RecordingFiles,
  name: SegmentName,
  index?: SegmentIndex,
): Promise<SegmentReader | undefined> {
  let file: RecordingFile;
  try {
    file = await files.open(segmentPath(name), 'read');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return createReader(file, name, index ?? (await readIndex(files, file, name)));
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readIndex(files: RecordingFiles, file: RecordingFile, name: SegmentName): Promise<SegmentIndex> {
  const sidecar = await readWhole(files, sidecarPath(name));
  const read = sidecar === undefined ? undefined : decodeSidecar(sidecar);
  const known = read?.kind === 'read' && read.index.startMs === name.startMs ? read.index : undefined;
  if (known?.end !== undefined) return known;
  const scan = await scanSegment(file, name.startMs, known?.groups ?? []);
  return scan.index;
}

function createReader(file: RecordingFile, name: SegmentName, index: SegmentIndex): SegmentReader {
  async function readGroup(group: SegmentGroup): Promise<GroupRead> {
    if (group.isDamaged) return { kind: 'damaged' };
    const bytes = await readFully(file, group.offset, group.bytes);
    if (bytes.byteLength !== group.bytes || crc32(bytes) !== group.checksum) return { kind: 'damaged' };
    const { packets, fault } = readMessage(bytes);
    return fault === undefined ? { kind: 'intact', packets, bytes } : { kind: 'damaged' };
  }
  return {
    name,
    index,
    readGroup,
    readKeyFrame: async (group) => {
      const bytes = await readFully(file, group.keyOffset, group.keyBytes);
      if (group.isDamaged || crc32(bytes) !== group.keyChecksum) return { kind: 'damaged' };
      const [packet] = readMessage(bytes).packets;
      return packet === undefined ? { kind: 'damaged' } : { kind: 'intact', packet };
    },
    readFormat: async ({ formatOffset }) => {
      if (formatOffset === undefined) return undefined;
      return readMessage(await readFully(file, formatOffset, FORMAT_READ_BYTES)).packets[0];
    },
    parts: (fromGroup) => readParts(index.groups.slice(fromGroup), readGroup),
    close: () => file.close(),
  };
}

async function* readParts(
  groups: readonly SegmentGroup[],
  readGroup: (group: SegmentGroup) => Promise<GroupRead>,
): AsyncGenerator<SegmentPart, void, undefined> {
  for (const group of groups) {
    const read = await readGroup(group);
    if (read.kind === 'damaged') {
      const untilMs = wallMs(group.wallTimeMs + group.durationMs);
      yield { kind: 'damaged', fromMs: group.wallTimeMs, untilMs };
      continue;
    }
    for (const packet of read.packets) yield { kind: 'packet', packet, group, wallTimeMs: wallTimeOf(packet, group) };
  }
}

/** When a packet of the group is shown, by the gateway's clock. Not whole milliseconds. */
export function wallTimeOf(packet: Pick<StreamPacket, 'mediaTimeUs'>, group: SegmentGroup): number {
  return group.wallTimeMs + (packet.mediaTimeUs - group.mediaTimeUs) / 1000;
}

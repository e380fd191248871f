// Writes groups of pictures whose time is known to segments, one after another.

import type { SegmentOrigin } from '../../../shared/protocol/segmentOrigins.ts';
import { hasFlag, PacketFlag, readPacket, setFlag } from '../../../shared/protocol/stream/streamPacket.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import type { HubPacket } from '../../media/hubPacket.ts';
import type { OpenSegment, RecordedChannel } from '../channelRecorder.ts';
import type { RecordingFiles } from '../files.ts';
import { GopIndexer, type IndexedPacket } from '../gopIndexer.ts';
import { MAX_SEGMENT_BYTES, type SegmentEnd, type SegmentGroup, type SegmentIndex } from '../segmentFormat.ts';
import type { SegmentName } from '../segmentPath.ts';
import { createSegmentWriter, type SegmentWriter } from '../segmentWriter.ts';

/** A packet in the form that a segment takes. */
export type WrittenPacket = Omit<HubPacket, 'frame'>;
export type PastChannel = RecordedChannel;

/** A whole group of pictures and its place on the gateway's clock. */
export interface PastGroup {
  readonly fromMs: number;
  readonly toMs: number;
  /** The `format` event in force at the key frame. */
  readonly format: WrittenPacket | undefined;
  /** The key frame first. */
  readonly packets: readonly WrittenPacket[];
}

export interface FinishedSegment {
  readonly name: SegmentName;
  readonly groups: readonly SegmentGroup[];
  readonly end: SegmentEnd;
}

export interface PastWriterDeps {
  readonly files: RecordingFiles;
  readonly origin: SegmentOrigin;
  readonly runSync: (job: () => Promise<void>) => Promise<void>;
  readonly onClosed: (finished: FinishedSegment) => void;
  readonly onWritten: (bytes: number) => void;
}

/** The length of the recorder's segments. */
const SEGMENT_MS = 60_000;
const CLOSE_AT_BYTES = MAX_SEGMENT_BYTES / 2;

interface Current {
  readonly writer: SegmentWriter;
  readonly indexer: GopIndexer;
  readonly groups: SegmentGroup[];
  readonly startMs: number;
  endMs: number;
  /** The index that readers may see: written to the last byte. */
  readable: SegmentIndex;
}

export class PastWriter {
  readonly #channel: PastChannel;
  readonly #deps: PastWriterDeps;
  #current: Current | undefined;
  #isOver = false;

  constructor(channel: PastChannel, deps: PastWriterDeps) {
    this.#channel = channel;
    this.#deps = deps;
  }

  /** Nothing more is written: the writer has finished, or given up. */
  get isOver(): boolean {
    return this.#isOver;
  }

  openSegments(): OpenSegment[] {
    const current = this.#current;
    return current === undefined ? [] : [{ name: current.writer.name, index: current.readable }];
  }

  async add(group: PastGroup): Promise<void> {
    const cut = this.#current === undefined ? 'break' : cutBefore(this.#current, group);
    if (this.#current !== undefined && cut !== 'none') await this.#finish();
    if (this.#isOver) return;
    const current = this.#current ?? (await this.#begin(group));
    if (current === undefined) return;
    const own = cut === 'break' ? standingAlone(group.packets) : group.packets;
    const packets = current.groups.length === 0 && current.indexer.bytes === 0 ? withFormat(group.format, own) : own;
    for (const { bytes } of packets) {
      const ended = current.indexer.add(indexed(bytes), wallTimeOf(current, group));
      if (ended === undefined) continue;
      current.groups.push(ended);
      current.writer.addGroup(ended);
    }
    current.endMs = group.toMs;
    await current.writer.append(packets.map(({ bytes }) => bytes));
    this.#deps.onWritten(packets.reduce((sum, { bytes }) => sum + bytes.byteLength, 0));
    const growing = current.indexer.current;
    const groups = growing === undefined ? [...current.groups] : [...current.groups, growing];
    current.readable = { ...current.readable, groups };
  }

  /** Completes the segment; after that nothing more is written. */
  async finish(): Promise<void> {
    await this.#finish();
    this.#isOver = true;
  }

  /** Closes the files as they are. Gives the segment that is left incomplete. */
  async abandon(): Promise<SegmentName | undefined> {
    this.#isOver = true;
    const current = this.#current;
    this.#current = undefined;
    await current?.writer.abandon();
    return current?.writer.name;
  }

  async #begin({ fromMs }: PastGroup): Promise<Current | undefined> {
    const { files, origin, runSync } = this.#deps;
    const wanted = { ...this.#channel, startMs: wallMs(Math.round(fromMs)) };
    const writer = await createSegmentWriter(files, wanted, origin);
    const { startMs } = writer.name;
    const current = {
      writer,
      indexer: new GopIndexer(),
      groups: [],
      startMs,
      endMs: startMs,
      readable: { startMs, groups: [], end: undefined, origin },
    };
    this.#current = current;
    // The sidecar's header states the segment's origin: recovery needs it for whatever it finds.
    await runSync(() => writer.sync());
    return this.#isOver ? undefined : current;
  }

  async #finish(): Promise<void> {
    const current = this.#current;
    if (current === undefined) return;
    const last = current.indexer.finish(current.endMs);
    if (last === undefined) return;
    let isWhole = false;
    await this.#deps.runSync(async () => {
      isWhole = await current.writer.finish(last.group, last.end);
    });
    if (!isWhole) return;
    // The segment stays known as open until its row exists: a reader finds it in one of both.
    this.#deps.onClosed({ name: current.writer.name, groups: [...current.groups, last.group], end: last.end });
    this.#current = undefined;
  }
}

/** Whether a new segment begins with the group, and if so, whether it directly follows the last picture. */
function cutBefore({ startMs, endMs, indexer }: Current, { fromMs, packets }: PastGroup): 'none' | 'in-step' | 'break' {
  const [key] = packets;
  // The time between the two, however short, may be recorded already.
  if (key === undefined || fromMs !== endMs) return 'break';
  const { header } = indexed(key.bytes);
  if (header.discontinuity || indexer.isBehindHole(header)) return 'break';
  return fromMs - startMs >= SEGMENT_MS || indexer.bytes >= CLOSE_AT_BYTES ? 'in-step' : 'none';
}

/** Marks a group that refers to pictures of another one as following none. */
function standingAlone(packets: readonly WrittenPacket[]): readonly WrittenPacket[] {
  const [key, ...rest] = packets;
  if (key === undefined || !hasFlag(key.bytes, PacketFlag.Recovering)) return packets;
  const bytes = new Uint8Array(key.bytes);
  setFlag(bytes, PacketFlag.Discontinuity);
  return [{ ...key, bytes }, ...rest];
}

/** A segment's name may be a few milliseconds later than the wanted time. */
function wallTimeOf({ indexer, startMs }: Current, { fromMs }: PastGroup): number {
  const lastMs = indexer.current?.wallTimeMs;
  return lastMs === undefined ? startMs : Math.max(fromMs, lastMs + 1);
}

function withFormat(format: WrittenPacket | undefined, packets: readonly WrittenPacket[]): readonly WrittenPacket[] {
  return format === undefined ? packets : [format, ...packets];
}

function indexed(bytes: Uint8Array<ArrayBuffer>): IndexedPacket {
  const read = readPacket(bytes);
  if (read.kind !== 'packet') throw new Error('what is written is no packet');
  return { header: read.packet, bytes };
}

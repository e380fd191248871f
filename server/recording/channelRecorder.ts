// One channel's recorder: takes packets from the hub, and writes them to one segment after another when it is told to.
import { type PacketHeader, readPacket } from '../../shared/protocol/stream/streamPacket.ts';
import { wallMs } from '../../shared/protocol/time.ts';
import type { Viewer } from '../media/hub.ts';
import { type HubPacket, isRecovering, withDiscontinuity } from '../media/hubPacket.ts';
import { PictureSteps } from '../media/pictureSteps.ts';
import type { Segment } from '../store/recordings/segments.ts';
import type { RecordingFiles } from './files.ts';
import { GopIndexer } from './gopIndexer.ts';
import type { MemoryBudget } from './memoryBudget.ts';
import { MAX_SEGMENT_BYTES, type SegmentEnd, type SegmentGroup, type SegmentIndex } from './segmentFormat.ts';
import type { SegmentName } from './segmentPath.ts';
import { createSegmentWriter, type SegmentWriter } from './segmentWriter.ts';
import { MAX_SHIFT_MS, WallClockFit } from './wallClockFit.ts';

export interface ChannelRecorderDeps {
  readonly files: RecordingFiles;
  /** The gateway's clock, milliseconds since the epoch. */
  readonly now: () => number;
  /** Memory that all channels together may use. */
  readonly budget: MemoryBudget;
  readonly syncIntervalMs: number;
  /** Runs a sync or a close when its turn comes; pictures are written meanwhile. */
  readonly runSync?: (job: () => Promise<void>) => Promise<void>;
  /** Called when a segment is whole and on the disk. */
  readonly onClosed: (segment: Segment, index: SegmentIndex) => void;
  /** Called when a write failed. `name` is the segment that was left incomplete. */
  readonly onFailed: (error: unknown, name: SegmentName | undefined) => void;
  readonly onWritten: (bytes: number) => void;
  /** Called when the disk was too slow and packets were dropped up to the next key frame. */
  readonly onDropped: (packets: number) => void;
}

export type RecordedChannel = Pick<SegmentName, 'archiveId' | 'channel' | 'quality'>;

/** A segment while it is being written. Its index ends with the group that is still growing. */
export interface OpenSegment {
  readonly name: SegmentName;
  readonly index: SegmentIndex;
}

const SEGMENT_MS = 60_000;
/** If no key frame comes for this long, the segment ends without one. */
const MAX_SEGMENT_WITHOUT_KEY_MS = 10 * 60_000;
/** Longest time in which the burst of cached packets at a stream's start arrives, also on a slow machine. */
const BURST_MS = 600;
/** A stream that is silent for this long has ended: its segment is completed. */
const IDLE_CLOSE_MS = 10_000;
/** Half of the limit, because the key frame that ends the segment may come up to a group later. */
const CLOSE_AT_BYTES = MAX_SEGMENT_BYTES / 2;

interface Pending {
  readonly packet: HubPacket;
  readonly arrivalMs: number;
  /** Packets before this key frame were dropped. */
  readonly isBehindGap: boolean;
}

interface Item {
  readonly packet: HubPacket;
  readonly header: PacketHeader;
  readonly isBehindGap: boolean;
  /** Wall time of a key frame; undefined for other packets. */
  readonly wallTimeMs: number | undefined;
}

interface Current {
  readonly writer: SegmentWriter;
  readonly indexer: GopIndexer;
  readonly groups: SegmentGroup[];
  buffers: Uint8Array[];
  syncedAtMs: number;
  isSyncing: boolean;
  /** The index that readers may see: written to the last byte. */
  readable: SegmentIndex;
}

export class ChannelRecorder implements Viewer {
  purpose: 'recorder' | 'event' = 'recorder';
  readonly #key: RecordedChannel;
  readonly #deps: ChannelRecorderDeps;
  readonly #fit = new WallClockFit();
  readonly #steps = new PictureSteps();
  #pending: Pending[] = [];
  #pendingBytes = 0;
  #isDropping = false;
  #format: HubPacket | undefined;
  #current: Current | undefined;
  #lastPacketMs: number;
  #lastEndMs = Number.NEGATIVE_INFINITY;
  /** Time of the last write. */
  #writtenAtMs = Number.NEGATIVE_INFINITY;
  #work: Promise<void> = Promise.resolve();
  /** Syncs and closes under way, and the segments that are being completed. */
  readonly #background = new Set<Promise<void>>();
  readonly #finishing = new Set<OpenSegment>();

  constructor(key: RecordedChannel, deps: ChannelRecorderDeps) {
    this.#key = key;
    this.#deps = deps;
    this.#lastPacketMs = deps.now();
  }

  get writtenAtMs(): number {
    return this.#writtenAtMs;
  }

  deliver(packet: HubPacket): void {
    const wasDropping = this.#isDropping;
    if (!this.#admits(packet)) {
      if (packet.isFormat === true) this.#format = packet;
      this.#deps.onDropped(1);
      return;
    }
    this.#pending.push({ packet, arrivalMs: this.#deps.now(), isBehindGap: wasDropping });
    this.#pendingBytes += packet.bytes.byteLength;
  }

  /** The incomplete segments as far as they can be read: the one being written, and earlier ones that are being completed. */
  openSegments(): OpenSegment[] {
    const current = this.#current;
    const written = current === undefined ? [] : [{ name: current.writer.name, index: current.readable }];
    return [...this.#finishing, ...written];
  }

  /** Resolves when no sync and no close is under way. */
  async settled(): Promise<void> {
    while (this.#background.size > 0) await Promise.all(this.#background);
  }

  /** Writes the packets that have come, and syncs or closes what is due. Never rejects: failures go to `onFailed`. */
  flush(): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#isBeginning()) await this.#flush();
    });
  }

  /** Writes the packets that have come and completes the segment. */
  close(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#flush();
      await this.#guarded(() => this.#finish(undefined));
      await this.settled();
    });
  }

  /** Closes everything at once because the disk is gone. The segment is left as it is. */
  abandon(): Promise<void> {
    return this.#inTurn(async () => {
      this.#takePending();
      const name = this.#current?.writer.name;
      await this.#current?.writer.abandon();
      this.#current = undefined;
      if (name !== undefined) this.#deps.onFailed(undefined, name);
      await this.settled();
    });
  }

  /**
   * Whether the first burst may still be arriving. Only its last picture is on time, and the first one's wall time is
   * computed from it.
   */
  #isBeginning(): boolean {
    const [first] = this.#pending;
    if (this.#current !== undefined || first === undefined) return false;
    const waitedMs = this.#deps.now() - first.arrivalMs;
    // Negative if the gateway's clock was set back, which must not delay the pictures.
    return waitedMs >= 0 && waitedMs < BURST_MS;
  }

  #inTurn(run: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(run);
    return this.#work;
  }

  #admits(packet: HubPacket): boolean {
    const mayGoOn = !this.#isDropping || packet.isKey;
    this.#isDropping = !(mayGoOn && this.#deps.budget.take(packet.bytes.byteLength));
    return !this.#isDropping;
  }

  #takePending(): Pending[] {
    const taken = this.#pending;
    this.#deps.budget.give(this.#pendingBytes);
    this.#pending = [];
    this.#pendingBytes = 0;
    return taken;
  }

  async #flush(): Promise<void> {
    // Bytes count against the memory budget until they are on the disk.
    const batch = this.#pending;
    const bytes = this.#pendingBytes;
    this.#pending = [];
    this.#pendingBytes = 0;
    await this.#guarded(async () => {
      for (const item of this.#place(batch)) await this.#take(item);
      await this.#write();
      await this.#closeOrSync();
    });
    this.#deps.budget.give(bytes);
  }

  async #guarded(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      const name = this.#current?.writer.name;
      await this.#current?.writer.abandon();
      this.#current = undefined;
      this.#deps.onFailed(error, name);
    }
  }

  #place(batch: readonly Pending[]): Item[] {
    const read = batch.map((pending) => ({ ...pending, header: headerOf(pending.packet) }));
    const pictures = read.filter(({ packet }) => packet.isVideo);
    const arrivals = pictures.map(({ header, arrivalMs }) => {
      const { key: isKey, discontinuity } = header;
      return { mediaTimeMs: header.mediaTimeUs / 1000, arrivalMs, isKey, discontinuity };
    });
    const wallTimes = this.#fit.place(arrivals)[Symbol.iterator]();
    const last = batch.at(-1);
    if (last !== undefined) this.#lastPacketMs = last.arrivalMs;
    return read.map(({ packet, header, isBehindGap }) => ({
      packet,
      header,
      isBehindGap,
      wallTimeMs: packet.isKey ? (wallTimes.next().value ?? undefined) : undefined,
    }));
  }

  async #take(item: Item): Promise<void> {
    const { packet, header, wallTimeMs } = item;
    if (wallTimeMs !== undefined) return this.#takeKey(item, wallTimeMs);
    if (packet.isFormat === true) this.#format = packet;
    const current = this.#current;
    // Before the first key frame nothing can be decoded.
    if (current === undefined) return;
    if (this.#spanMs(current, header) > MAX_SEGMENT_WITHOUT_KEY_MS || current.indexer.bytes > MAX_SEGMENT_BYTES) {
      return this.#finish(undefined);
    }
    add(current, packet, header, 0);
  }

  async #takeKey(item: Item, wallTimeMs: number): Promise<void> {
    const { packet, header } = item;
    const current = this.#current;
    const cut = current === undefined ? 'break' : this.#cutOf(current, item, wallTimeMs);
    if (current !== undefined) {
      if (cut === 'none') {
        const lastMs = current.indexer.current?.wallTimeMs ?? 0;
        return add(current, packet, header, Math.max(wallTimeMs, lastMs + 1));
      }
      await this.#finish(cut === 'in-step' ? wallTimeMs : undefined);
    }
    await this.#begin(wallTimeMs);
    if (this.#current === undefined) return;
    if (this.#format !== undefined) add(this.#current, this.#format, headerOf(this.#format), 0);
    const written = cut === 'in-step' ? packet : standingAlone(packet);
    add(this.#current, written, headerOf(written), this.#current.writer.name.startMs);
  }

  /** Whether a key frame begins a new segment, and if so, whether it directly follows the last picture. */
  #cutOf(current: Current, { header, isBehindGap }: Item, wallTimeMs: number): 'none' | 'in-step' | 'break' {
    const group = current.indexer.current;
    if (group === undefined || isBehindGap || header.discontinuity) return 'break';
    if (current.indexer.isBehindHole(header)) return 'break';
    const expectedMs = group.wallTimeMs + (header.mediaTimeUs - group.mediaTimeUs) / 1000;
    if (Math.abs(wallTimeMs - expectedMs) > MAX_SHIFT_MS) return 'break';
    const isFull = wallTimeMs - current.writer.name.startMs >= SEGMENT_MS || current.indexer.bytes >= CLOSE_AT_BYTES;
    return isFull ? 'in-step' : 'none';
  }

  #spanMs({ indexer, writer }: Current, header: PacketHeader): number {
    const group = indexer.current;
    if (group === undefined) return 0;
    return group.wallTimeMs + (header.mediaTimeUs - group.mediaTimeUs) / 1000 - writer.name.startMs;
  }

  async #begin(wallTimeMs: number): Promise<void> {
    // The clock fit may improve by some milliseconds, which must not make two segments overlap.
    const isJustBefore = wallTimeMs < this.#lastEndMs && this.#lastEndMs - wallTimeMs <= MAX_SHIFT_MS;
    const startMs = wallMs(Math.round(isJustBefore ? this.#lastEndMs : wallTimeMs));
    const { archiveId, channel, quality } = this.#key;
    const writer = await createSegmentWriter(this.#deps.files, { archiveId, channel, quality, startMs });
    this.#current = {
      writer,
      indexer: new GopIndexer([], undefined, this.#steps),
      groups: [],
      buffers: [],
      syncedAtMs: this.#deps.now(),
      isSyncing: false,
      readable: { startMs: writer.name.startMs, groups: [], end: undefined },
    };
  }

  async #write(): Promise<void> {
    const current = this.#current;
    if (current === undefined || current.buffers.length === 0) return;
    const { buffers } = current;
    current.buffers = [];
    await current.writer.append(buffers);
    this.#writtenAtMs = this.#deps.now();
    this.#deps.onWritten(buffers.reduce((sum, { byteLength }) => sum + byteLength, 0));
    const growing = current.indexer.current;
    const groups = growing === undefined ? [...current.groups] : [...current.groups, growing];
    current.readable = { startMs: current.writer.name.startMs, groups, end: undefined };
  }

  async #closeOrSync(): Promise<void> {
    const current = this.#current;
    if (current === undefined) return;
    const nowMs = this.#deps.now();
    if (nowMs - this.#lastPacketMs > IDLE_CLOSE_MS) return this.#finish(undefined);
    // If the clock was set back, the next sync must not be delayed by as much.
    if (current.isSyncing || Math.abs(nowMs - current.syncedAtMs) < this.#deps.syncIntervalMs) return;
    current.syncedAtMs = nowMs;
    current.isSyncing = true;
    this.#inBackground(current, async () => {
      await current.writer.sync();
      current.isSyncing = false;
    });
  }

  #inBackground({ writer }: Current, job: () => Promise<void>): void {
    const done = (this.#deps.runSync?.(job) ?? job()).catch(async (error: unknown) => {
      if (this.#current?.writer === writer) this.#current = undefined;
      await writer.abandon();
      this.#deps.onFailed(error, writer.name);
    });
    const tracked = done.finally(() => this.#background.delete(tracked));
    this.#background.add(tracked);
  }

  /** Completes the segment. `nextWallMs` is the start of the next one if that follows directly. */
  async #finish(nextWallMs: number | undefined): Promise<void> {
    await this.#write();
    const current = this.#current;
    const last = current?.indexer.finish(nextWallMs);
    if (current === undefined) return;
    if (last === undefined) {
      this.#current = undefined;
      return current.writer.abandon();
    }
    this.#current = undefined;
    this.#lastEndMs = last.end.endMs;
    const { writer, groups } = current;
    const finishing = {
      name: writer.name,
      index: { startMs: writer.name.startMs, groups: [...groups, last.group], end: last.end },
    };
    this.#finishing.add(finishing);
    this.#inBackground(current, async () => {
      try {
        if (!(await writer.finish(last.group, last.end))) return;
        this.#deps.onClosed(toSegment(writer.name, groups[0] ?? last.group, last.end), finishing.index);
      } finally {
        this.#finishing.delete(finishing);
      }
    });
  }
}

function add(current: Current, packet: HubPacket, header: PacketHeader, wallTimeMs: number): void {
  const ended = current.indexer.add({ header, bytes: packet.bytes }, wallTimeMs);
  current.buffers.push(packet.bytes);
  if (ended === undefined) return;
  current.groups.push(ended);
  current.writer.addGroup(ended);
}

function headerOf(packet: HubPacket): PacketHeader {
  const read = readPacket(packet.bytes);
  if (read.kind !== 'packet') throw new Error('the hub relayed what is no packet');
  return read.packet;
}

/** Segments that lie close together are played without a break, so a packet whose references are missing has to be marked. */
function standingAlone(packet: HubPacket): HubPacket {
  return isRecovering(packet) ? withDiscontinuity(packet) : packet;
}

/** The row of a whole segment. */
export function toSegment(name: SegmentName, firstGroup: SegmentGroup, end: SegmentEnd): Segment {
  return {
    ...name,
    endMs: end.endMs,
    deviceStartMs: firstGroup.deviceTimeMs,
    deviceEndMs: end.deviceEndMs,
    bytes: end.bytes,
    groupCount: end.groupCount,
  };
}

// Recordings of known content, written by the recorder's own writer under a clock of the test's: the demo's clips, whose
// loop is locked to the epoch, so the picture of every moment is known (simulator/clip/clipFormat.ts: frameAt).
import { createFormatPacket, createHubPacket, type HubPacket } from '../../../server/media/hubPacket.ts';
import { ChannelRecorder, type OpenSegment } from '../../../server/recording/channelRecorder.ts';
import type { RecordingFiles } from '../../../server/recording/files.ts';
import { MemoryBudget } from '../../../server/recording/memoryBudget.ts';
import type { Segment, SegmentStore } from '../../../server/store/recordings/segments.ts';
import { A_LAW } from '../../../shared/protocol/codec/sound/g711.ts';
import { encodeStreamEvent } from '../../../shared/protocol/stream/streamMessages.ts';
import { Codec, PacketKind, readTimes } from '../../../shared/protocol/stream/streamPacket.ts';
import { mediaUs, wallMs } from '../../../shared/protocol/time.ts';
import { FRAME_MS, LOOP_FRAMES } from '../../../simulator/clip/clipFormat.ts';
import type { Clip, ClipFrame } from '../../../simulator/clip/loadClip.ts';
import { SAMPLE_RATE_HZ, toneChunk } from '../../../simulator/clip/tone.ts';

interface RecordedSpan {
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  /** What the camera sends in it; by default the channel's clip. */
  readonly clip?: Clip;
}

export interface RecordedChannel {
  readonly archiveId: string;
  readonly channel: number;
  readonly clip: Clip;
  /** Times of recording; what lies between two is a gap. Each begins at the clip's next key frame. */
  readonly spans: readonly RecordedSpan[];
  readonly withSound?: boolean;
  /** How far the device's clock is ahead of the gateway's. */
  readonly deviceAheadMs?: number;
}

export interface RecordingTarget {
  readonly files: RecordingFiles;
  /** Gets every segment, as from the recorder. */
  readonly segments: Pick<SegmentStore, 'add'>;
}

/** How often the writer is called, in recorded time. A second would be the recorder's own rhythm. */
const FLUSH_FRAMES = 10 * 25;
const BUDGET_BYTES = 256 * 1024 * 1024;

/** Records the channel's spans, as fast as the disk takes them. Gives the segments, by start. */
export async function recordChannel(target: RecordingTarget, channel: RecordedChannel): Promise<Segment[]> {
  const segments: Segment[] = [];
  for (const span of channel.spans) segments.push(...(await recordSpan(target, channel, span)));
  await target.segments.add(segments);
  return segments;
}

async function recordSpan(target: RecordingTarget, channel: RecordedChannel, span: RecordedSpan): Promise<Segment[]> {
  const feeder = new Feeder(target.files, { ...channel, clip: span.clip ?? channel.clip }, span.fromMs);
  const behind = Math.ceil(span.toMs / FRAME_MS);
  while (feeder.frame < behind) {
    feeder.send(Math.min(behind, feeder.frame + FLUSH_FRAMES));
    await feeder.recorder.flush();
  }
  await feeder.recorder.close();
  // They are made whole side by side: the later one may be done first.
  return feeder.segments.sort((left, right) => left.startMs - right.startMs);
}

/** Records packets that the gateway has made, as if each picture came when it is shown, in the order given. */
export async function recordPackets(
  target: RecordingTarget,
  camera: RecorderName,
  packets: readonly HubPacket[],
  fromMs: number,
): Promise<void> {
  let nowMs = fromMs;
  const segments: Segment[] = [];
  const recorder = openRecorder(target.files, camera, { now: () => nowMs, segments });
  const startUs = packets[0] === undefined ? 0 : readTimes(packets[0].bytes).mediaTimeUs;
  for (const packet of packets) {
    nowMs = Math.max(nowMs, fromMs + (readTimes(packet.bytes).mediaTimeUs - startUs) / 1_000);
    recorder.deliver(packet);
  }
  await recorder.close();
  await target.segments.add(segments);
}

type RecorderName = Pick<RecordedChannel, 'archiveId' | 'channel'>;

interface RecorderWiring {
  readonly now: () => number;
  /** Segments that are whole are added here. */
  readonly segments: Segment[];
}

function openRecorder(files: RecordingFiles, camera: RecorderName, { now, segments }: RecorderWiring): ChannelRecorder {
  return new ChannelRecorder(
    { archiveId: camera.archiveId, channel: camera.channel, quality: 'main' },
    {
      files,
      now,
      budget: new MemoryBudget(BUDGET_BYTES),
      // The test's process does not lose power.
      syncIntervalMs: Number.POSITIVE_INFINITY,
      runSync: (job) => job(),
      onClosed: (segment) => segments.push(segment),
      onFailed: (error) => {
        throw new Error('the test recording failed', { cause: error });
      },
      onWritten: () => {},
      onDropped: () => {
        throw new Error('the test recording dropped packets');
      },
    },
  );
}

type Camera = Omit<RecordedChannel, 'spans'>;

/** A camera and its recorder. */
class Feeder {
  readonly recorder: ChannelRecorder;
  readonly segments: Segment[] = [];
  readonly #camera: Camera;
  readonly #first: number;
  /** The number, since the epoch, of the picture that is sent next. */
  frame: number;
  #nowMs: number;

  constructor(files: RecordingFiles, camera: Camera, fromMs: number) {
    this.#camera = camera;
    this.#nowMs = fromMs;
    this.#first = firstFrame(camera.clip, fromMs);
    this.frame = this.#first;
    this.recorder = openRecorder(files, camera, { now: () => this.#nowMs, segments: this.segments });
  }

  /** Sends the pictures up to this one, which is not included. */
  send(behind: number): void {
    const { clip, withSound, deviceAheadMs } = this.#camera;
    if (withSound === true && this.frame === this.#first && this.frame < behind) {
      this.recorder.deliver(soundFormat(this.frame));
    }
    for (; this.frame < behind; this.frame++) {
      const { frame } = this;
      const picture = clipFrame(clip, frame);
      // Nothing is sent before it was seen: a reference leaves when the pictures in front of it were taken.
      this.#nowMs = Math.max(this.#nowMs, shownFrame(picture, frame) * FRAME_MS);
      const times = { frame, discontinuity: frame === this.#first, ahead: deviceAheadMs };
      this.recorder.deliver(picturePacket(clip, picture, times));
      if (withSound === true) this.recorder.deliver(soundPacket(frame));
    }
  }
}

/** A recording that goes on when it is told to, as playback sees one that is still written. */
export class GrowingRecording {
  readonly #target: RecordingTarget;
  readonly #camera: Camera;
  #feeder: Feeder | undefined;
  #stored = 0;

  constructor(target: RecordingTarget, camera: Camera, fromMs: number) {
    this.#target = target;
    this.#camera = camera;
    this.begin(fromMs);
  }

  begin(fromMs: number): void {
    this.#feeder = new Feeder(this.#target.files, this.#camera, fromMs);
    this.#stored = 0;
  }

  async recordUntil(atMs: number): Promise<void> {
    this.#feeder?.send(Math.floor(atMs / FRAME_MS));
    await this.#feeder?.recorder.flush();
    await this.#feeder?.recorder.settled();
    await this.#store();
  }

  openSegments(): readonly OpenSegment[] {
    return this.#feeder?.recorder.openSegments() ?? [];
  }

  /** Makes what there is whole. Safe to call twice. */
  async close(): Promise<void> {
    await this.#feeder?.recorder.close();
    await this.#store();
    this.#feeder = undefined;
  }

  async #store(): Promise<void> {
    const closed = this.#feeder?.segments.slice(this.#stored) ?? [];
    this.#stored += closed.length;
    await this.#target.segments.add(closed);
  }
}

/** Number since the epoch of the first key frame at or after a moment. */
function firstFrame(clip: Clip, fromMs: number): number {
  let frame = Math.ceil(fromMs / FRAME_MS);
  while (!clipFrame(clip, frame).isKey) frame++;
  return frame;
}

/** What the clip sends at a moment; frames are numbered since the epoch. */
export function clipFrame(clip: Clip, frame: number): ClipFrame {
  const found = clip.frames[frame % LOOP_FRAMES];
  if (found === undefined) throw new Error(`the clip has no frame ${frame % LOOP_FRAMES}`);
  return found;
}

/** Where in time a picture belongs that is sent as number `frame`. */
export function shownFrame(picture: ClipFrame, frame: number): number {
  return frame - (frame % LOOP_FRAMES) + picture.shownAt;
}

interface PictureTimes {
  readonly frame: number;
  readonly discontinuity: boolean;
  readonly ahead: number | undefined;
}

function picturePacket(clip: Clip, picture: ClipFrame, { frame, discontinuity, ahead }: PictureTimes): HubPacket {
  const shownMs = shownFrame(picture, frame) * FRAME_MS;
  const header = {
    kind: PacketKind.Video,
    codec: Codec[clip.codec],
    key: picture.isKey,
    discontinuity,
    mediaTimeUs: mediaUs(shownMs * 1000 + MEDIA_START_US),
    deviceTimeMs: wallMs(shownMs + (ahead ?? 0)),
  };
  return createHubPacket(header, picture.bytes);
}

/** Media time has no meaning of its own: nothing may take it for the time of day. */
const MEDIA_START_US = -1_700_000_000_000_000;

/** The sound that was recorded of a range, as samples of 16 bits; silence where a part of it was not. */
export function recordedTone(
  fromMs: number,
  toMs: number,
  gap: { readonly fromMs: number; readonly toMs: number },
): Int16Array<ArrayBuffer> {
  const samples = new Int16Array(((toMs - fromMs) * SAMPLE_RATE_HZ) / 1000);
  for (let atMs = fromMs; atMs < toMs; atMs += FRAME_MS) {
    if (atMs >= gap.fromMs && atMs < gap.toMs) continue;
    const chunk = Int16Array.from(toneChunk(atMs), (code) => A_LAW[code] ?? 0);
    samples.set(chunk, ((atMs - fromMs) * SAMPLE_RATE_HZ) / 1000);
  }
  return samples;
}

function soundPacket(frame: number): HubPacket {
  const atMs = frame * FRAME_MS;
  const header = { kind: PacketKind.Audio, codec: Codec.G711A, key: false, discontinuity: false };
  return createHubPacket({ ...header, ...soundTimes(atMs) }, toneChunk(atMs));
}

function soundFormat(frame: number): HubPacket {
  const event = encodeStreamEvent({ type: 'format', codec: Codec.G711A, sampleRate: SAMPLE_RATE_HZ, channels: 1 });
  const header = { kind: PacketKind.Event, codec: Codec.None, key: false, discontinuity: false };
  return createFormatPacket({ ...header, ...soundTimes(frame * FRAME_MS) }, event);
}

function soundTimes(atMs: number) {
  return { mediaTimeUs: mediaUs(atMs * 1000 + MEDIA_START_US), deviceTimeMs: wallMs(atMs) };
}

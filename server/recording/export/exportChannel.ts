// One channel's recording of a range as an MP4 clip: pictures copied, sound made playable, read and written piece by piece.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SoundFormat } from '../../../shared/protocol/codec/sound/telephoneDecoder.ts';
import { DEFAULT_FORMAT } from '../../../shared/protocol/codec/sound/telephoneDecoder.ts';
import { LateEntry } from '../../../shared/protocol/codec/video/lateEntry.ts';
import { parseStreamEvent } from '../../../shared/protocol/stream/streamMessages.ts';
import { hasFlag, PACKET_HEADER_BYTES, PacketFlag } from '../../../shared/protocol/stream/streamPacket.ts';
import { wallMs } from '../../../shared/protocol/time.ts';
import { type GopReader, groupEndUs, groupStartUs, type RecordedGroup } from '../playback/gopReader.ts';
import { type CursorRead, PacketCursor } from '../playback/packetCursor.ts';
import { placePackets, type RecordedPacket } from '../playback/recordedPacket.ts';
import type { TrackKey } from '../playback/segmentDirectory.ts';
import { type HiddenPicture, HiddenPictures } from './hiddenPictures.ts';
import { Mp4Writer } from './mp4/mp4Writer.ts';
import type { SoundFrame } from './mp4/tracks.ts';
import { createSoundTrack, type SoundTrack } from './soundTrack.ts';
import { readVideoTrack } from './videoConfig.ts';

export interface ExportRange {
  readonly track: TrackKey;
  readonly fromMs: number;
  /** End, exclusive. */
  readonly toMs: number;
}

/** One clip of a range, as far as it must be known before the first byte is written. */
export interface ExportPlan extends ExportRange {
  /** The group in which decoding begins. */
  readonly entry: RecordedGroup;
  /** Time of its first correct picture: at or before `fromMs`, or the first one in the range. */
  readonly startMs: number;
  readonly endMs: number;
  /** Approximate size of the clip. */
  readonly bytes: number;
  readonly sound: FirstSound | undefined;
}

interface FirstSound {
  readonly codec: number;
  readonly bytes: Uint8Array;
  readonly format: SoundFormat;
}

export interface ExportOutput {
  readonly write: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** Called with the done share of the clip's time, 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** Seconds that sound may come after the pictures of the same time; if it has not come by then, there is silence. */
const SOUND_LATENESS_S = 1;
/** Small fragments are written together up to this size: a write to a file or a socket costs the time of a hundred pictures. */
const WRITE_BYTES = 512 * 1024;
/** Interval, in media time, at which the exporter checks for missing audio. */
const MIN_SILENCE_S = 0.5;
/** Seconds of silence made at a time: a gap may last for days. */
const SILENCE_STEP_S = 5;
/** Sound frames, a millisecond or two of work, that are encoded before everything else has its turn. */
const SOUND_FRAMES_A_TURN = 16;

/** The clips of a range: one, or several where the camera's codec was changed within it; none where nothing is recorded. */
export async function planExport(
  gopReader: GopReader,
  range: ExportRange,
  signal?: AbortSignal,
): Promise<ExportPlan[]> {
  const plans: ExportPlan[] = [];
  let codec: number | undefined;
  let at = await firstGroup(gopReader, range);
  for (; at !== undefined && groupStartUs(at) < range.toMs * 1000; at = await following(gopReader, at)) {
    signal?.throwIfAborted();
    // A camera that changes its codec begins a new segment.
    if (at.number === 0 || codec === undefined) {
      const found = await videoCodecAt(gopReader, at);
      if (found !== undefined && found !== codec) {
        const plan = await newPlan(gopReader, range, { at, isFirst: codec === undefined });
        if (plan !== undefined) plans.push(plan);
      }
      codec = found ?? codec;
    }
    const last = plans.pop();
    if (last !== undefined) plans.push(await extended(gopReader, last, at));
  }
  return plans;
}

interface PlanStart {
  readonly at: RecordedGroup;
  /** The group before it may have the same codec. */
  readonly isFirst: boolean;
}

/** Undefined where no picture of the range is correct. */
async function newPlan(
  gopReader: GopReader,
  range: ExportRange,
  { at, isFirst }: PlanStart,
): Promise<ExportPlan | undefined> {
  const wantedUs = Math.max(range.fromMs * 1000, groupStartUs(at));
  const entry = isFirst ? await gopReader.entryFor(at, wantedUs) : at;
  const startUs =
    entry.group.recoveryMs === undefined ? groupStartUs(entry) : await firstRight(gopReader, range, entry);
  if (startUs === undefined) return undefined;
  const startMs = Math.floor(startUs / 1000);
  return { ...range, entry, startMs, endMs: startMs, bytes: 0, sound: undefined };
}

/** Time of the first picture that is correct for a decoder that begins with the group. */
async function firstRight(
  gopReader: GopReader,
  { track, toMs }: ExportRange,
  entry: RecordedGroup,
): Promise<number | undefined> {
  const cursor = new PacketCursor(gopReader, track, entry);
  const late = new LateEntry();
  for (;;) {
    const read = await cursor.read();
    if (read.kind === 'tail' || (read.kind === 'gap' && read.untilUs === undefined)) return undefined;
    if (read.kind === 'gap') continue;
    for (const packet of read.packets) {
      if (packet.kind !== 'video') continue;
      if (packet.timeUs >= toMs * 1000) return undefined;
      const prepared = late.take(...toPrepare(packet));
      if (prepared?.unseen === false) return packet.timeUs;
    }
  }
}

/** The arguments for LateEntry about a picture. */
function toPrepare(packet: RecordedPacket): [Parameters<LateEntry['take']>[0], Uint8Array<ArrayBuffer>, boolean] {
  const { isKey: key, dependence, timeUs: mediaTimeUs } = packet;
  const isAlone = hasFlag(packet.bytes, PacketFlag.Discontinuity);
  return [{ codec: codecOf(packet), key, dependence, mediaTimeUs }, payloadOf(packet), isAlone];
}

async function extended(gopReader: GopReader, plan: ExportPlan, at: RecordedGroup): Promise<ExportPlan> {
  const hasSound = plan.sound === undefined && at.group.formatOffset !== undefined;
  return {
    ...plan,
    endMs: Math.min(plan.toMs, groupEndUs(at) / 1000),
    bytes: plan.bytes + at.group.bytes,
    sound: hasSound ? await soundOf(gopReader, at) : plan.sound,
  };
}

async function firstGroup(gopReader: GopReader, { track, fromMs }: ExportRange): Promise<RecordedGroup | undefined> {
  const latest = await gopReader.latestAt(track, wallMs(fromMs));
  if (latest !== undefined && groupEndUs(latest) > fromMs * 1000) return latest;
  return latest === undefined ? gopReader.firstAfter(track, wallMs(fromMs)) : following(gopReader, latest);
}

async function following(gopReader: GopReader, at: RecordedGroup): Promise<RecordedGroup | undefined> {
  const next = await gopReader.next(at);
  return typeof next === 'string' ? undefined : next;
}

async function videoCodecAt(gopReader: GopReader, at: RecordedGroup): Promise<number | undefined> {
  const read = await gopReader.readPiece(at, at.group.keyOffset, PACKET_HEADER_BYTES);
  return read.kind === 'bytes' ? read.bytes[CODEC_OFFSET] : undefined;
}

const CODEC_OFFSET = 2;

/** The first sound of a group, which the clip's sound track is set up by before its first picture is written. */
async function soundOf(gopReader: GopReader, at: RecordedGroup): Promise<FirstSound | undefined> {
  const head = await gopReader.readFormat(at);
  const piece = await gopReader.readPiece(at, at.group.offset);
  if (piece.kind !== 'bytes') return undefined;
  const inForce = head === undefined ? undefined : placePackets(head, at.group).packets[0];
  let format = (inForce && formatOf(inForce)) ?? DEFAULT_FORMAT;
  for (const packet of placePackets(piece.bytes, at.group).packets) {
    format = formatOf(packet) ?? format;
    if (packet.kind === 'audio') return { codec: codecOf(packet), bytes: payloadOf(packet).slice(), format };
  }
  return undefined;
}

/** Writes the clip. Damage and gaps keep their time: the picture before one is shown until the next. */
export async function exportChannel(gopReader: GopReader, plan: ExportPlan, output: ExportOutput): Promise<void> {
  const settings = new Mp4Settings(plan, output);
  const cursor = new PacketCursor(gopReader, plan.track, plan.entry, 'many');
  for (let ahead = readAhead(cursor); ; ) {
    output.signal.throwIfAborted();
    const read = await ahead;
    // The disk and the writer work in parallel.
    ahead = readAhead(cursor);
    if (read.kind === 'tail') break;
    if (read.kind === 'gap') {
      if (read.untilUs === undefined || read.untilUs >= plan.toMs * 1000) break;
      continue;
    }
    if (!(await settings.add(read.packets))) break;
    if (read.packets.some(({ kind, isKey, timeUs }) => kind === 'video' && isKey && timeUs >= plan.toMs * 1000)) break;
  }
  await settings.finish();
}

/** A read-ahead that may be abandoned: its failure reaches only a caller that awaits it. */
function readAhead(cursor: PacketCursor): Promise<CursorRead> {
  const read = cursor.read();
  read.catch(() => {});
  return read;
}

/** The writer of one clip, and its state from packet to packet. */
class Mp4Settings {
  readonly #plan: ExportPlan;
  readonly #output: ExportOutput;
  readonly #sound: SoundTrack | undefined;
  #writer: Mp4Writer | undefined;
  #codec: number | undefined;
  readonly #entry = new LateEntry();
  /** Pictures that later ones need, and that aren't correct yet. */
  readonly #hidden = new HiddenPictures();
  /** Leading pictures can't be shown without their key frame, which is behind the end. */
  #isBehindEnd = false;
  /** The write of the previous piece, during which the next is made. */
  #written: Promise<void> | undefined;
  /** Sound frames encoded since everything else had its turn. */
  #encodedFrames = 0;
  /** Time up to which there is sound or silence, at least. */
  #audioWrittenS = 0;

  constructor(plan: ExportPlan, output: ExportOutput) {
    this.#plan = plan;
    this.#output = output;
    this.#sound = plan.sound && createSoundTrack(plan.sound, plan.sound.format);
  }

  /** False where another codec begins. There is no await from picture to picture: only sound and finished pieces cost turns. */
  async add(packets: readonly RecordedPacket[]): Promise<boolean> {
    for (const packet of packets) {
      const format = formatOf(packet);
      if (format !== undefined) this.#sound?.setFormat(format);
      const isBehindEnd = packet.timeUs >= this.#plan.toMs * 1000;
      if (packet.isKey) this.#isBehindEnd = isBehindEnd;
      if (isBehindEnd || (this.#isBehindEnd && packet.dependence === 'leading')) continue;
      if (packet.kind === 'audio') {
        const timeS = this.#secondsOf(packet.timeUs);
        // Silence of a long gap is made step by step, not at once with the sound after it.
        if (timeS > this.#audioWrittenS + SILENCE_STEP_S) await this.#fillSound(timeS);
        this.#addSound(packet);
      }
      if (packet.kind !== 'video') continue;
      if (!this.#addPicture(packet)) return false;
      const silentS = this.#secondsOf(packet.timeUs) - SOUND_LATENESS_S;
      if (this.#sound !== undefined && silentS > this.#audioWrittenS + MIN_SILENCE_S) await this.#fillSound(silentS);
    }
    await this.#pass();
    return true;
  }

  async finish(): Promise<void> {
    await this.#fillSound(this.#secondsOf(this.#plan.endMs * 1000));
    if (this.#sound !== undefined) this.#writeSound(this.#sound.finish());
    this.#writer?.finish();
    await this.#pass(1);
    await this.#written;
    this.#output.onProgress(1);
  }

  #addPicture(packet: RecordedPacket): boolean {
    const prepared = this.#entry.take(...toPrepare(packet));
    if (prepared === undefined) return true;
    for (const [at, bytes] of prepared.standIns.entries()) this.#hidden.hold({ bytes, isKey: at === 0 });
    const { dependence } = packet;
    // The picture at which gradual refresh begins is no key frame to a file player.
    const picture = { bytes: prepared.bytes, isKey: packet.isKey && dependence !== 'recovering', dependence };
    if (prepared.unseen && !this.#hidden.isFull) {
      this.#addHidden(picture);
      return true;
    }
    const timeUs = packet.timeUs - this.#plan.startMs * 1000;
    const codec = codecOf(packet);
    if (this.#writer === undefined) this.#begin(codec, this.#hidden.first ?? picture);
    if (this.#writer === undefined) return true;
    if (codec !== this.#codec) return false;
    for (const hidden of this.#hidden.release(timeUs)) this.#writer.addPicture(hidden);
    this.#writer.addPicture({ ...picture, timeUs });
    const { startMs, endMs } = this.#plan;
    if (packet.isKey) this.#output.onProgress((packet.timeUs / 1000 - startMs) / (endMs - startMs));
    return true;
  }

  #addHidden(picture: HiddenPicture): void {
    const placed = this.#hidden.placedBehind(picture);
    if (placed === undefined) this.#hidden.hold(picture);
    else this.#writer?.addPicture(placed);
  }

  #begin(codec: number, { bytes, isKey }: HiddenPicture): void {
    const video = isKey ? readVideoTrack(codec, bytes) : undefined;
    if (video === undefined) return;
    const { startMs, endMs } = this.#plan;
    this.#codec = codec;
    const { spanUs: leadUs } = this.#hidden;
    this.#writer = new Mp4Writer({ video, sound: this.#sound?.config, startMs, durationMs: endMs - startMs, leadUs });
  }

  #addSound(packet: RecordedPacket): void {
    const timeUs = packet.timeUs - this.#plan.startMs * 1000;
    if (this.#sound === undefined || this.#writer === undefined || timeUs < 0) return;
    this.#writeSound(this.#sound.push({ codec: codecOf(packet), bytes: payloadOf(packet), timeUs }));
  }

  async #fillSound(toS: number): Promise<void> {
    if (this.#sound === undefined || this.#writer === undefined) return;
    while (this.#audioWrittenS < toS) {
      this.#audioWrittenS = Math.min(toS, this.#audioWrittenS + SILENCE_STEP_S);
      this.#writeSound(this.#sound.fill(this.#audioWrittenS));
      await this.#pass();
      // Encoding runs on this thread, which relays live pictures too.
      if (this.#encodedFrames < SOUND_FRAMES_A_TURN) continue;
      this.#encodedFrames = 0;
      await nextTurn();
    }
  }

  #writeSound(frames: readonly SoundFrame[]): void {
    for (const frame of frames) this.#writer?.addSound(frame);
    this.#encodedFrames += frames.length;
  }

  /** Passes on finished bytes, once they are worth a write. */
  async #pass(leastBytes = WRITE_BYTES): Promise<void> {
    const bytes = this.#writer?.take(leastBytes);
    if (bytes === undefined) return;
    await this.#written;
    this.#output.signal.throwIfAborted();
    this.#written = this.#output.write(bytes);
    // A failure reaches the code that awaits the write: the next piece, or the clip's end.
    this.#written.catch(() => {});
  }

  #secondsOf(timeUs: number): number {
    return (timeUs - this.#plan.startMs * 1000) / 1e6;
  }
}

function formatOf({ kind, bytes }: RecordedPacket): SoundFormat | undefined {
  const event = kind === 'format' ? parseStreamEvent(bytes.subarray(PACKET_HEADER_BYTES)) : undefined;
  return event?.type === 'format' ? { sampleRate: event.sampleRate, channels: event.channels } : undefined;
}

function codecOf({ bytes }: RecordedPacket): number {
  return bytes[CODEC_OFFSET] ?? 0;
}

function payloadOf({ bytes }: RecordedPacket): Uint8Array<ArrayBuffer> {
  return bytes.subarray(PACKET_HEADER_BYTES);
}

import type { Limit, OnLimit } from '../../../limits/limit.ts';
import { HeldBuffers } from './heldBuffers.ts';
import { LossDoubt } from './lossDoubt.ts';
import { type HeldFrame, MEDIA_OF, type MediaFrame, MediaTrack, type OpenFrame } from './mediaTrack.ts';
import { DataType, type MediaPacket, SubPackage } from './packet.ts';
import { Count, type Observation, SequenceWatch } from './sequence.ts';

export type { MediaFrame } from './mediaTrack.ts';

interface PassthroughData {
  readonly kind: 'passthrough';
  readonly channel: number;
  readonly payloadType: number;
  readonly bytes: Uint8Array;
}

interface DroppedData {
  readonly kind: 'dropped';
  readonly channel: number;
  readonly reason: DropReason;
}

export type DropReason =
  /** A frame with missing packets, or one after it that depends on it. */
  | 'gap'
  /** A frame that another frame began in, or whose beginning never came. */
  | 'interrupted'
  /** A frame that is too large, or for which the other unfinished frames leave no room. */
  | 'size'
  /** A frame that refers to a lost I frame. */
  | 'key-missing'
  /** A packet that came twice. */
  | 'repeated'
  /** A packet that came behind those that follow it. */
  | 'late';

/** Packet numbers were skipped: packets of the connection, or of the tracks that share a count with this channel, are missing. */
interface MissingPackets {
  readonly kind: 'missing';
  readonly channel: number;
  readonly packets: number;
}

export type AssemblerEvent = MediaFrame | PassthroughData | DroppedData | MissingPackets;

export interface AssemblerLimits {
  readonly maxFrameBytes: number;
  /** Bytes of all unfinished frames, and of the buffers that held frames keep in memory. */
  readonly maxOpenBytes: number;
}

/** Size of a video or audio frame. A larger one is dropped, together with the video frames up to the next key frame. */
export const FRAME_BYTES_LIMIT: Limit = { name: 'media.frame-bytes.frame', max: 4 * 1024 * 1024 };
/** Size of all frames of a connection that are being assembled or held. The frame that doesn't fit is dropped. */
export const OPEN_BYTES_LIMIT: Limit = { name: 'media.open-frame-bytes.connection', max: 16 * 1024 * 1024 };
/**
 * Video frames held until it is known whether one of their packets is missing: a third of a second of video. Sound shows whose packets were
 * lost, and comes more often than that. They count as damaged and are dropped up to a key frame among them.
 */
export const HELD_FRAMES_LIMIT: Limit = { name: 'media.held-frames.channel', max: 8 };

const DEFAULT_LIMITS: AssemblerLimits = { maxFrameBytes: FRAME_BYTES_LIMIT.max, maxOpenBytes: OPEN_BYTES_LIMIT.max };
const FIRST_BUFFER_BYTES = 8 * 1024;

/** A track that was silent for this many packets of the connection is assumed to have lost none. */
const IDLE_PACKETS = 2_048;
const MEDIA_COUNT = 3;
const PLACE_OF = { video: 0, audio: 1, passthrough: 2 } as const;

/**
 * Puts the packets of one connection together to whole frames. One assembler sees all channels of the connection, since many
 * terminals count the packets of all channels and media together.
 */
export class FrameAssembler {
  readonly #limits: AssemblerLimits;
  readonly #onLimit: OnLimit;
  /** By channel and medium. */
  readonly #places: (MediaTrack | undefined)[] = [];
  readonly #tracks: MediaTrack[] = [];
  readonly #sequence = new SequenceWatch<MediaPacket>();
  /** Open gaps by channel, or under `connection`: the tracks that share a count. */
  readonly #doubts = new Map<number | 'connection', LossDoubt>();
  readonly #heldBuffers = new HeldBuffers();
  #openBytes = 0;
  #packets = 0;

  constructor(limits: Partial<AssemblerLimits> = {}, onLimit: OnLimit = () => undefined) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#onLimit = onLimit;
  }

  /** With `isWanted` false the packet is counted and its content dropped. */
  push(packet: MediaPacket, isWanted = true): AssemblerEvent[] {
    const events: AssemblerEvent[] = [];
    const track = this.#trackOf(packet);
    const observation = this.#sequence.observe(packet, track);
    if (observation.kind === 'repeated' || observation.kind === 'late') {
      events.push({ kind: 'dropped', channel: packet.channel, reason: observation.kind });
      return events;
    }
    this.#packets++;
    if (observation.kind === 'gap') this.#noteGap(track, observation, events);
    if (this.#doubts.size > 0) this.#hear(track, packet, events);
    track.remember(packet);
    track.lastPacket = this.#packets;
    if (isWanted) this.#assemble(track, packet, events);
    else this.#leaveOut(track);
    return events;
  }

  #assemble(track: MediaTrack, packet: MediaPacket, events: AssemblerEvent[]): void {
    switch (packet.subPackage) {
      case SubPackage.Atomic:
        this.#begin(track, packet, events);
        this.#emit(track, { first: packet, bytes: packet.body, isSuspect: false }, events);
        return;
      case SubPackage.First:
        this.#begin(track, packet, events);
        track.open = { first: packet, buffer: new Uint8Array(0), length: 0, isSuspect: false };
        this.#append(track, packet, events);
        return;
      case SubPackage.Middle:
        this.#append(track, packet, events);
        return;
      case SubPackage.Last:
        this.#append(track, packet, events);
        this.#finish(track, events);
        return;
    }
  }

  #trackOf(packet: MediaPacket): MediaTrack {
    const { channel } = packet;
    const media = MEDIA_OF[packet.dataType];
    const place = channel * MEDIA_COUNT + PLACE_OF[media];
    const known = this.#places[place];
    if (known !== undefined) return known;
    const counts = { channelCount: this.#sequence.channelCount(channel), trackCount: new Count() };
    const track = new MediaTrack(channel, media, counts);
    this.#places[place] = track;
    this.#tracks.push(track);
    return track;
  }

  #noteGap(seenAt: MediaTrack, gap: Observation & { readonly kind: 'gap' }, events: AssemblerEvent[]): void {
    const { channel } = seenAt;
    const { scope, missing } = gap;
    events.push({ kind: 'missing', channel, packets: missing });
    const tracks = this.#tracks.filter((track) => {
      if (track === seenAt) return true;
      const isMeant = scope === 'connection' || (scope === 'channel' && track.channel === channel);
      return isMeant && (track.open !== undefined || this.#packets - track.lastPacket < IDLE_PACKETS);
    });
    for (const track of tracks) track.disturb();
    if (tracks.length === 1) {
      this.#lose(seenAt, true, events);
      return;
    }
    const key = scope === 'connection' ? scope : channel;
    const doubt = this.#doubts.get(key) ?? new LossDoubt(this.#packets);
    doubt.add(tracks, missing);
    this.#doubts.set(key, doubt);
  }

  /** Applies what a packet shows about the open gaps. */
  #hear(track: MediaTrack, packet: MediaPacket, events: AssemblerEvent[]): void {
    for (const [key, doubt] of this.#doubts) {
      if (key !== 'connection' && key !== track.channel) continue;
      const heard = doubt.hear(track, packet);
      if (heard === 'lost') this.#lose(track, true, events);
      if (heard === 'unsure') {
        track.held ??= [];
        if (track.open !== undefined) track.open.isSuspect = true;
      }
      const verdict = doubt.settle();
      for (const settled of verdict?.tracks ?? []) {
        if (verdict?.isLost === true) this.#lose(settled, settled.open?.isSuspect === true, events);
        else this.#release(settled, events);
      }
      if (this.#packets - doubt.startPacket > IDLE_PACKETS) this.#giveUp(doubt, events);
      if (doubt.isSettled) this.#doubts.delete(key);
    }
  }

  #giveUp(doubt: LossDoubt, events: AssemblerEvent[]): void {
    for (const track of doubt.openTracks) {
      doubt.giveUp(track);
      this.#lose(track, true, events);
    }
  }

  /** Packets of this track are missing. */
  #lose(track: MediaTrack, dropsOpen: boolean, events: AssemblerEvent[]): void {
    const held = this.#takeHeld(track);
    const restart = held.findIndex(({ frame, isSuspect }) => frame.dataType === DataType.I && !isSuspect);
    track.isLost = restart < 0;
    track.waitsForKey ||= held.some(({ frame }) => frame.dataType === DataType.I);
    if (restart >= 0 || track.open?.first.dataType === DataType.I) track.waitsForKey = false;
    for (const [at, { frame }] of held.entries()) {
      if (restart < 0 || at < restart) events.push({ kind: 'dropped', channel: track.channel, reason: 'gap' });
      else events.push(at === restart ? { ...frame, lost: true } : frame);
    }
    if (track.open !== undefined && dropsOpen) this.#drop(track, track.open, { reason: 'gap', events });
  }

  /** No packet of this track is missing. */
  #release(track: MediaTrack, events: AssemblerEvent[]): void {
    for (const { frame } of this.#takeHeld(track)) events.push(frame);
    if (track.open !== undefined) track.open.isSuspect = false;
  }

  /** Takes the held frames; later frames aren't held any more. */
  #takeHeld(track: MediaTrack): readonly HeldFrame[] {
    const held = track.held ?? [];
    track.held = undefined;
    for (const { frame } of held) this.#openBytes -= this.#heldBuffers.remove(frame.bytes);
    return held;
  }

  #hold(held: HeldFrame[], frame: HeldFrame): Limit | undefined {
    held.push(frame);
    this.#openBytes += this.#heldBuffers.add(frame.frame.bytes);
    if (held.length > HELD_FRAMES_LIMIT.max) return HELD_FRAMES_LIMIT;
    return this.#openBytes > this.#limits.maxOpenBytes ? OPEN_BYTES_LIMIT : undefined;
  }

  #begin(track: MediaTrack, packet: MediaPacket, events: AssemblerEvent[]): void {
    if (track.open !== undefined) this.#drop(track, track.open, { reason: 'interrupted', events });
    track.isSkipping = false;
    if (packet.dataType === DataType.I) track.waitsForKey = false;
  }

  #append(track: MediaTrack, packet: MediaPacket, events: AssemblerEvent[]): void {
    const { open } = track;
    if (open === undefined) {
      this.#skip(track, packet, events);
      return;
    }
    const { maxFrameBytes, maxOpenBytes } = this.#limits;
    const length = open.length + packet.body.length;
    const othersBytes = this.#openBytes - open.buffer.length;
    const limit = Math.min(maxFrameBytes, maxOpenBytes - othersBytes);
    if (length > limit) {
      this.#onLimit(length > maxFrameBytes ? FRAME_BYTES_LIMIT : OPEN_BYTES_LIMIT);
      this.#drop(track, open, { reason: 'size', events });
      return;
    }
    open.buffer = grown(open.buffer, length, limit);
    open.buffer.set(packet.body, open.length);
    open.length = length;
    this.#openBytes = othersBytes + open.buffer.length;
  }

  /** Skips the rest of a frame whose beginning was dropped or never came. */
  #skip(track: MediaTrack, packet: MediaPacket, events: AssemblerEvent[]): void {
    track.isLost = true;
    if (packet.dataType === DataType.I) track.waitsForKey = true;
    if (track.isSkipping) return;
    track.isSkipping = true;
    events.push({ kind: 'dropped', channel: track.channel, reason: 'interrupted' });
  }

  #finish(track: MediaTrack, events: AssemblerEvent[]): void {
    const { open } = track;
    track.isSkipping = false;
    if (open === undefined) return;
    this.#close(track, open);
    const bytes = open.buffer.subarray(0, open.length);
    this.#emit(track, { first: open.first, bytes, isSuspect: open.isSuspect }, events);
  }

  #drop(track: MediaTrack, open: OpenFrame, to: { reason: DropReason; events: AssemblerEvent[] }): void {
    this.#close(track, open);
    track.isLost = true;
    track.isSkipping = true;
    if (open.first.dataType === DataType.I) track.waitsForKey = true;
    to.events.push({ kind: 'dropped', channel: track.channel, reason: to.reason });
  }

  #close(track: MediaTrack, open: OpenFrame): void {
    this.#openBytes -= open.buffer.length;
    track.open = undefined;
  }

  /** The channel isn't wanted now. When it is again, its first frame follows a gap. */
  #leaveOut(track: MediaTrack): void {
    if (track.open !== undefined) this.#close(track, track.open);
    this.#takeHeld(track);
    track.isLost = true;
    track.isSkipping = true;
  }

  #emit(track: MediaTrack, whole: WholeFrame, events: AssemblerEvent[]): void {
    const { first, bytes, isSuspect } = whole;
    const { payloadType, dataType, timestampMs = 0 } = first;
    const { channel, media, isLost } = track;
    if (bytes.length === 0) return;
    if (bytes.length > this.#limits.maxFrameBytes) {
      track.isLost = true;
      this.#onLimit(FRAME_BYTES_LIMIT);
      events.push({ kind: 'dropped', channel, reason: 'size' });
      return;
    }
    if (media === 'passthrough') {
      events.push({ kind: 'passthrough', channel, payloadType, bytes });
      return;
    }
    if (track.waitsForKey) {
      events.push({ kind: 'dropped', channel, reason: 'key-missing' });
      return;
    }
    track.isLost = false;
    const frame: MediaFrame = {
      kind: 'frame',
      channel,
      media,
      dataType,
      payloadType,
      timestampMs,
      bytes,
      lost: isLost,
    };
    if (track.held === undefined) {
      events.push(frame);
      return;
    }
    const full = this.#hold(track.held, { frame, isSuspect });
    if (full === undefined) return;
    this.#onLimit(full);
    for (const doubt of this.#doubts.values()) doubt.giveUp(track);
    this.#lose(track, true, events);
  }
}

interface WholeFrame {
  readonly first: MediaPacket;
  readonly bytes: Uint8Array;
  /** Some of the frame was still to come when a gap occurred that isn't explained yet. */
  readonly isSuspect: boolean;
}

/** Room for `length` bytes within `limit`, doubled each time so that many small packets cost linear time. */
function grown(buffer: Uint8Array, length: number, limit: number): Uint8Array {
  if (length <= buffer.length) return buffer;
  const doubled = Math.max(FIRST_BUFFER_BYTES, buffer.length * 2);
  const larger = new Uint8Array(Math.max(length, Math.min(limit, doubled)));
  larger.set(buffer);
  return larger;
}

import { DataType, type MediaPacket, SubPackage } from './packet.ts';
import { type GapScope, SequenceWatch } from './sequence.ts';

export interface MediaFrame {
  readonly kind: 'frame';
  readonly channel: number;
  readonly media: 'video' | 'audio';
  /** Of the frame's first packet. The bit stream, not this, says for certain what a key frame is. */
  readonly dataType: DataType;
  readonly payloadType: number;
  readonly timestampMs: number;
  /** A view of the packet where the frame came in one, else a buffer of its own. */
  readonly bytes: Uint8Array;
  /** Something of this channel and medium before this frame is missing. */
  readonly lost: boolean;
}

export interface PassthroughData {
  readonly kind: 'passthrough';
  readonly channel: number;
  readonly payloadType: number;
  readonly bytes: Uint8Array;
}

export interface DroppedFrame {
  readonly kind: 'dropped';
  readonly channel: number;
  readonly why:
    | 'gap'
    /** Another frame began before this one ended, or this one never began. */
    | 'interrupted'
    | 'size'
    /** It refers to an I frame that was lost. */
    | 'key-missing';
}

export type AssemblerEvent = MediaFrame | PassthroughData | DroppedFrame;

export interface AssemblerLimits {
  readonly maxFrameBytes: number;
  /** Of all frames that are being put together. */
  readonly maxOpenBytes: number;
}

const DEFAULT_LIMITS: AssemblerLimits = { maxFrameBytes: 4 * 1024 * 1024, maxOpenBytes: 16 * 1024 * 1024 };
const FIRST_BUFFER_BYTES = 8 * 1024;

const MEDIA_OF = {
  [DataType.I]: 'video',
  [DataType.P]: 'video',
  [DataType.B]: 'video',
  [DataType.Audio]: 'audio',
  [DataType.Passthrough]: 'passthrough',
} as const satisfies Record<DataType, string>;

interface OpenFrame {
  readonly first: MediaPacket;
  buffer: Uint8Array;
  length: number;
}

/** What is known of one medium of one channel. */
interface Track {
  readonly channel: number;
  readonly media: (typeof MEDIA_OF)[DataType];
  open: OpenFrame | undefined;
  /** The frame under way is damaged: the rest of it is skipped without another word. */
  skipping: boolean;
  lost: boolean;
  /** An I frame was lost: what refers to it is worth nothing. */
  waitsForKey: boolean;
}

/**
 * Puts the packets of one connection together to whole frames, at most two events a packet. One assembler sees all
 * channels of the connection, since many terminals count the packets of all channels and media together.
 */
export class FrameAssembler {
  readonly #limits: AssemblerLimits;
  readonly #tracks = new Map<string, Track>();
  readonly #sequence = new SequenceWatch();
  #openBytes = 0;

  constructor(limits: Partial<AssemblerLimits> = {}) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
  }

  push(packet: MediaPacket): AssemblerEvent[] {
    const events: AssemblerEvent[] = [];
    const track = this.#trackOf(packet);
    const gap = this.#sequence.observe(packet, `${packet.channel}/${track.media}`);
    if (gap !== undefined) this.#damage(track, gap, events);
    switch (packet.subPackage) {
      case SubPackage.Atomic:
        this.#begin(track, packet, events);
        this.#emit(track, packet, packet.body, events);
        break;
      case SubPackage.First:
        this.#begin(track, packet, events);
        track.open = { first: packet, buffer: new Uint8Array(0), length: 0 };
        this.#append(track, packet, events);
        break;
      case SubPackage.Middle:
        this.#append(track, packet, events);
        break;
      case SubPackage.Last:
        this.#append(track, packet, events);
        this.#finish(track, events);
        break;
    }
    return events;
  }

  #trackOf(packet: MediaPacket): Track {
    const { channel } = packet;
    const media = MEDIA_OF[packet.dataType];
    const key = `${channel}/${media}`;
    const known = this.#tracks.get(key);
    if (known !== undefined) return known;
    const track: Track = { channel, media, open: undefined, skipping: false, lost: false, waitsForKey: false };
    this.#tracks.set(key, track);
    return track;
  }

  /** Packets are missing: no frame under way within the scope can be trusted, nobody knows whose they were. */
  #damage(seenAt: Track, scope: GapScope, events: AssemblerEvent[]): void {
    for (const track of this.#tracks.values()) {
      const isMeant =
        track === seenAt || scope === 'connection' || (scope === 'channel' && track.channel === seenAt.channel);
      if (!isMeant) continue;
      track.lost = true;
      if (track.open !== undefined) this.#drop(track, track.open, { why: 'gap', events });
    }
  }

  #begin(track: Track, packet: MediaPacket, events: AssemblerEvent[]): void {
    if (track.open !== undefined) this.#drop(track, track.open, { why: 'interrupted', events });
    track.skipping = false;
    if (packet.dataType === DataType.I) track.waitsForKey = false;
  }

  #append(track: Track, packet: MediaPacket, events: AssemblerEvent[]): void {
    const { open } = track;
    if (open === undefined) {
      this.#skip(track, packet, events);
      return;
    }
    const length = open.length + packet.body.length;
    const othersBytes = this.#openBytes - open.buffer.length;
    const limit = Math.min(this.#limits.maxFrameBytes, this.#limits.maxOpenBytes - othersBytes);
    if (length > limit) {
      this.#drop(track, open, { why: 'size', events });
      return;
    }
    open.buffer = grown(open.buffer, length, limit);
    open.buffer.set(packet.body, open.length);
    open.length = length;
    this.#openBytes = othersBytes + open.buffer.length;
  }

  /** The rest of a frame whose beginning was dropped or never came. */
  #skip(track: Track, packet: MediaPacket, events: AssemblerEvent[]): void {
    track.lost = true;
    if (packet.dataType === DataType.I) track.waitsForKey = true;
    if (track.skipping) return;
    track.skipping = true;
    events.push({ kind: 'dropped', channel: track.channel, why: 'interrupted' });
  }

  #finish(track: Track, events: AssemblerEvent[]): void {
    const { open } = track;
    track.skipping = false;
    if (open === undefined) return;
    this.#close(track, open);
    this.#emit(track, open.first, open.buffer.slice(0, open.length), events);
  }

  #drop(track: Track, open: OpenFrame, to: { why: DroppedFrame['why']; events: AssemblerEvent[] }): void {
    this.#close(track, open);
    track.lost = true;
    track.skipping = true;
    if (open.first.dataType === DataType.I) track.waitsForKey = true;
    to.events.push({ kind: 'dropped', channel: track.channel, why: to.why });
  }

  #close(track: Track, open: OpenFrame): void {
    this.#openBytes -= open.buffer.length;
    track.open = undefined;
  }

  #emit(track: Track, first: MediaPacket, bytes: Uint8Array, events: AssemblerEvent[]): void {
    const { payloadType, dataType, timestampMs = 0 } = first;
    const { channel, media, lost } = track;
    if (bytes.length === 0) return;
    if (bytes.length > this.#limits.maxFrameBytes) {
      track.lost = true;
      events.push({ kind: 'dropped', channel, why: 'size' });
      return;
    }
    if (media === 'passthrough') {
      events.push({ kind: 'passthrough', channel, payloadType, bytes });
    } else if (track.waitsForKey) {
      events.push({ kind: 'dropped', channel, why: 'key-missing' });
    } else {
      track.lost = false;
      events.push({ kind: 'frame', channel, media, dataType, payloadType, timestampMs, bytes, lost });
    }
  }
}

/** Room for `length` bytes within `limit`, doubled each time so that many small packets cost linear time. */
function grown(buffer: Uint8Array, length: number, limit: number): Uint8Array {
  if (length <= buffer.length) return buffer;
  const doubled = Math.max(FIRST_BUFFER_BYTES, buffer.length * 2);
  const larger = new Uint8Array(Math.max(length, Math.min(limit, doubled)));
  larger.set(buffer);
  return larger;
}

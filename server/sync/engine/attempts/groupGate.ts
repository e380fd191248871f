// Many devices send only key frames when they play fast. Keeping such a frame blocks the place of its whole group, so a key frame is
// only let through with the picture that follows it. The moment at which the speed changes is unknown: the device's answer overtakes
// pictures of the previous speed, or is overtaken by pictures of the new one. Pure.
import type { HubPacket } from '../../../media/hubPacket.ts';
import { STREAM_QUEUE_LIMIT } from '../../ingest/packetQueue.ts';

/** Some encoders send two or three key frames in a row when the scene changes. */
const MOST_ALONE = 3;
/** Small enough for the queue, which makes the source wait when it is half full. One key frame may exceed it. */
export const MAX_HELD_BYTES = STREAM_QUEUE_LIMIT.max / 4;

export class GroupGate {
  /** Packets from a key frame on that only sound or other key frames have followed. */
  #held: HubPacket[] = [];
  #heldBytes = 0;
  /** Number of key frames in `#held`. */
  #keyFrames = 0;

  /** Whether a key frame is held: when a playback has ended, this means that it came alone. */
  get isHolding(): boolean {
    return this.#keyFrames > 0;
  }

  /** The packets that may be kept now, in their order. */
  add(packet: HubPacket): readonly HubPacket[] | 'key-frames-alone' {
    const isKey = packet.isVideo && packet.isKey;
    if (!isKey && !this.isHolding) return [packet];
    this.#held.push(packet);
    this.#heldBytes += packet.bytes.byteLength;
    if (isKey) this.#keyFrames++;
    else if (packet.isVideo) return this.release();
    const isUsedUp = this.#heldBytes >= MAX_HELD_BYTES;
    if (this.#keyFrames > MOST_ALONE || (isUsedUp && this.#keyFrames > 1)) return 'key-frames-alone';
    // This is a single picture with much sound.
    return isUsedUp && !isKey ? this.release() : [];
  }

  /** Returns the held packets. */
  release(): readonly HubPacket[] {
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    this.#keyFrames = 0;
    return held;
  }
}

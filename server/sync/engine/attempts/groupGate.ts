// Many devices send key frames alone when they play fast. One that is kept stands in the way of its whole group, so a key frame is let
// through only with the picture that follows it. When the speed changes can't be told: the device's answer overtakes pictures of the
// speed before, or is overtaken by pictures of the new one. Pure.
import type { HubPacket } from '../../../media/hubPacket.ts';
import { STREAM_QUEUE_LIMIT } from '../../ingest/packetQueue.ts';

/** Some encoders send two or three in succession, when the scene changes. */
const MOST_ALONE = 3;
/** Small enough for the queue, which tells the source to wait with half of it. One key frame may go beyond. */
export const MAX_HELD_BYTES = STREAM_QUEUE_LIMIT.max / 4;

export class GroupGate {
  /** From a key frame on that nothing but sound or other key frames have followed. */
  #held: HubPacket[] = [];
  #heldBytes = 0;
  /** In `#held`. */
  #keyFrames = 0;

  /** Whether a key frame is held: of a playback that has ended it came alone. */
  get isHolding(): boolean {
    return this.#keyFrames > 0;
  }

  /** What may be kept now, in its order. */
  add(packet: HubPacket): readonly HubPacket[] | 'key-frames-alone' {
    const isKey = packet.isVideo && packet.isKey;
    if (!isKey && !this.isHolding) return [packet];
    this.#held.push(packet);
    this.#heldBytes += packet.bytes.byteLength;
    if (isKey) this.#keyFrames++;
    else if (packet.isVideo) return this.release();
    const isUsedUp = this.#heldBytes >= MAX_HELD_BYTES;
    if (this.#keyFrames > MOST_ALONE || (isUsedUp && this.#keyFrames > 1)) return 'key-frames-alone';
    // A single picture and much sound.
    return isUsedUp && !isKey ? this.release() : [];
  }

  /** Gives out what is held. */
  release(): readonly HubPacket[] {
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    this.#keyFrames = 0;
    return held;
  }
}

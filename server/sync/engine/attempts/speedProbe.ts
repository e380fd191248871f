// Many devices send key frames alone when they play fast: such pictures must not be taken for the recording. Pure.
import type { HubPacket } from '../../../media/hubPacket.ts';
import { STREAM_QUEUE_LIMIT } from '../../ingest/packetQueue.ts';

/** What was on its way when the speed was set is of the normal one, so the first groups say nothing. */
const KEY_FRAMES = 4;
/** Some seconds of pictures and sound. */
export const MAX_HELD_PACKETS = 2_000;
/** A quarter of the queue, so that after the device's answer there is room for the groups that tell. */
export const MAX_HELD_BYTES = STREAM_QUEUE_LIMIT.max / 4;
/**
 * Of what came before the answer and after it together. All of it may get into the queue at once, before a byte is written: the last
 * quarter is for what still comes of a device that was told to wait.
 */
export const MAX_PROBED_BYTES = (STREAM_QUEUE_LIMIT.max / 4) * 3;

/**
 * `full`: nothing more should come until the device has answered. Its pictures can be at the new speed before the answer is here, so
 * nothing is let through until then: key frames alone that were kept would stand in the way of their whole groups.
 */
export type ProbeVerdict = 'unknown' | 'full' | 'complete' | 'key-frames-alone';

export class SpeedProbe {
  /** What came until it is known, in its order. */
  readonly held: HubPacket[] = [];
  #heldBytes = 0;
  #isFaster = false;
  /** Of `held` when the device had answered. */
  #heldBefore = 0;
  #keyFrames = 0;
  /** Since the last key frame. */
  #others = 0;
  /** Between the last two key frames. */
  #othersBefore = 0;
  #isKeyLast = false;

  /** The device has said that it plays faster. Its pictures may have been faster than its answer: they are held already. */
  faster(): void {
    this.#isFaster = true;
    this.#heldBefore = this.held.length;
    this.#keyFrames = 0;
    this.#others = 0;
    this.#othersBefore = 0;
  }

  add(packet: HubPacket): ProbeVerdict {
    this.held.push(packet);
    this.#heldBytes += packet.bytes.byteLength;
    if (packet.isVideo) this.#count(packet);
    if (!this.#isFaster) return this.#isFull() ? 'full' : 'unknown';
    if (this.#keyFrames < KEY_FRAMES && !this.#isUsedUp()) return 'unknown';
    return this.#isWithoutOthers() ? 'key-frames-alone' : 'complete';
  }

  /** Nothing more comes. A short recording ends before it is known: its last group may lack what follows its key frame. */
  atEnd(): 'complete' | 'key-frames-alone' {
    return this.#isKeyLast ? 'key-frames-alone' : 'complete';
  }

  #count({ isKey }: HubPacket): void {
    this.#isKeyLast = isKey;
    if (!isKey) {
      this.#others++;
      return;
    }
    this.#keyFrames++;
    this.#othersBefore = this.#others;
    this.#others = 0;
  }

  #isFull(): boolean {
    return this.held.length >= MAX_HELD_PACKETS || this.#heldBytes >= MAX_HELD_BYTES;
  }

  /** It has to be decided by fewer key frames: a group can be larger than all that is held. */
  #isUsedUp(): boolean {
    return this.held.length - this.#heldBefore >= MAX_HELD_PACKETS || this.#heldBytes >= MAX_PROBED_BYTES;
  }

  /** Of the last group and of what has come of the next one. Large key frames alone use up the bytes before there are four. */
  #isWithoutOthers(): boolean {
    return this.#keyFrames > 0 && this.#others === 0 && this.#othersBefore === 0;
  }
}

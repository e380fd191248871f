// Many devices send key frames alone when they play fast: such pictures must not be taken for the recording. Pure.
import type { HubPacket } from '../../../media/hubPacket.ts';

/** What was on its way when the speed was set is of the normal one, so the first groups say nothing. */
const KEY_FRAMES = 4;
/** Some seconds of pictures and sound. */
export const MAX_HELD = 2_000;

/**
 * `full`: nothing more should come until the device has answered. Its pictures can be at the new speed before the answer is here, so
 * nothing is let through until then: key frames alone that were kept would stand in the way of their whole groups.
 */
export type ProbeVerdict = 'unknown' | 'full' | 'complete' | 'key-frames-alone';

export class SpeedProbe {
  /** What came until it is known, in its order. */
  readonly held: HubPacket[] = [];
  #isFaster = false;
  /** Of `held` when the device had answered. */
  #heldBefore = 0;
  #keyFrames = 0;
  /** Since the last key frame. */
  #others = 0;
  #isKeyLast = false;

  /** The device has said that it plays faster. Its pictures may have been faster than its answer: they are held already. */
  faster(): void {
    this.#isFaster = true;
    this.#heldBefore = this.held.length;
    this.#keyFrames = 0;
    this.#others = 0;
  }

  add(packet: HubPacket): ProbeVerdict {
    this.held.push(packet);
    if (packet.isVideo) this.#isKeyLast = packet.isKey;
    if (packet.isVideo && !packet.isKey) this.#others++;
    if (!this.#isFaster) return this.held.length >= MAX_HELD ? 'full' : 'unknown';
    if (packet.isVideo && packet.isKey) {
      this.#keyFrames++;
      if (this.#keyFrames >= KEY_FRAMES) return this.#others === 0 ? 'key-frames-alone' : 'complete';
      this.#others = 0;
    }
    return this.held.length - this.#heldBefore >= MAX_HELD ? 'complete' : 'unknown';
  }

  /** Nothing more comes. A short recording ends before it is known: its last group may lack what follows its key frame. */
  atEnd(): 'complete' | 'key-frames-alone' {
    return this.#isKeyLast ? 'key-frames-alone' : 'complete';
  }
}

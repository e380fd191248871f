// What one viewer's socket still takes. A viewer that cannot keep up loses whole groups of pictures, never single
// frames: a decoder fed past a hole shows grey smear until the next key frame.
import type { Limit, OnLimit } from '../limits/limit.ts';
import type { HubPacket } from '../media/hubPacket.ts';

/**
 * Live video queued for one viewer: two seconds of a 4 Mbit/s camera, more than a good network ever delays. Whole groups of pictures are
 * left out.
 */
export const QUEUED_BYTES_LIMIT: Limit = { name: 'stream.queue-bytes.socket', max: 1024 * 1024 };

export type Admission = 'send' | 'send-after-gap' | 'drop';

export interface ViewerQueueDeps {
  readonly onLimit?: OnLimit | undefined;
  /** Called when the rest of a group of pictures is dropped because the connection is too slow. */
  readonly onGroupCut?: (() => void) | undefined;
}

export class ViewerQueue {
  /** What the viewer can decode next. `key-after-gap`: a key frame, and pictures before it were lost. */
  #awaits: 'any' | 'key' | 'key-after-gap' = 'key';
  readonly #deps: ViewerQueueDeps;

  constructor(deps: ViewerQueueDeps = {}) {
    this.#deps = deps;
  }

  /** Decides on one packet by how many bytes are held back for the viewer. */
  admit(packet: HubPacket, queuedBytes: number): Admission {
    // Without its format event, all following sound would be unreadable. Its few bytes may exceed the limit.
    if (packet.isFormat === true) return 'send';
    if (queuedBytes > QUEUED_BYTES_LIMIT.max) {
      if (packet.isVideo && this.#awaits === 'any') this.#deps.onLimit?.(QUEUED_BYTES_LIMIT);
      // A hole in the sound is heard once; one in the pictures is seen until the next key frame.
      if (packet.isVideo) this.#cutGroup(packet.isKey);
      return 'drop';
    }
    if (!packet.isVideo || this.#awaits === 'any') return 'send';
    if (!packet.isKey) return 'drop';
    const admission = this.#awaits === 'key' ? 'send' : 'send-after-gap';
    this.#awaits = 'any';
    return admission;
  }

  /** Counts each group once: when its key frame is dropped, or the first picture of its rest. */
  #cutGroup(isKey: boolean): void {
    if (this.#awaits === 'any' || isKey) this.#deps.onGroupCut?.();
    this.breakOff();
  }

  /** The viewer misses pictures from here on, so the next one it gets is a key frame. */
  breakOff(): void {
    if (this.#awaits === 'any') this.#awaits = 'key-after-gap';
  }
}

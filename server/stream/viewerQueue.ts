// What one viewer's socket still takes. A viewer that cannot keep up loses whole groups of pictures, never single
// frames: a decoder fed past a hole shows grey smear until the next key frame.
import type { HubPacket } from './hubPacket.ts';

/** Two seconds of a 4 Mbit/s camera: more than a good network ever holds back, less than a bad one would pile up. */
export const MAX_QUEUED_BYTES = 1024 * 1024;

export type Admission = 'send' | 'send-after-gap' | 'drop';

export class ViewerQueue {
  #dropping = false;

  /** Decides on one packet by how many bytes the socket still holds back. */
  admit(packet: HubPacket, queuedBytes: number): Admission {
    if (queuedBytes > MAX_QUEUED_BYTES) {
      this.#dropping = true;
      return 'drop';
    }
    if (!this.#dropping) return 'send';
    if (!packet.isKey) return packet.isVideo ? 'drop' : 'send';
    this.#dropping = false;
    return 'send-after-gap';
  }
}

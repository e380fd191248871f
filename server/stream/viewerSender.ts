// What goes down one viewer's connection, and in how many messages.
import type { Duplex } from 'node:stream';
import type { OnLimit } from '../limits/limit.ts';
import { type HubPacket, withDiscontinuity } from '../media/hubPacket.ts';
import { frameHeaderBytes, writeFrameHeader } from '../media/webSocketFrame.ts';
import type { Flushable, FlushTimer } from './flushTimer.ts';
import { ViewerQueue } from './viewerQueue.ts';

/** More than the largest picture of a good camera: a connection that holds as much back does not keep up. */
export const BEHIND_BYTES = 64 * 1024;
/** A message reaches the page only as a whole, so it is not to take long by itself. */
export const MAX_MESSAGE_BYTES = 256 * 1024;

export interface ViewerSenderDeps {
  /**
   * The connection below the WebSocket. Packets are framed once for all viewers and written here; every write is a
   * whole frame, so they and the library's own pings and goodbyes do not mix.
   */
  readonly connection: Duplex;
  /** Flushes after a few milliseconds. */
  readonly timer: FlushTimer;
  /** Whether the gateway itself has too much to do. */
  readonly isBusy: () => boolean;
  /** Told of each group of pictures that the connection did not take to its end. */
  readonly onGroupCut?: (() => void) | undefined;
  /** Adds up what goes out. */
  readonly traffic?: { outBytes: number } | undefined;
  readonly onLimit?: OnLimit | undefined;
}

/**
 * Without load a packet goes out at once, in the frame that all viewers share. Behind a connection that does not keep
 * up, and while the gateway itself does not, packets wait in a list and go out several in one message. The list counts
 * in what the viewer may hold back.
 */
export class ViewerSender implements Flushable {
  readonly #deps: ViewerSenderDeps;
  readonly #queue: ViewerQueue;
  readonly #onDrain = (): void => this.flush();
  #waiting: HubPacket[] = [];
  #waitingBytes = 0;
  #isClosed = false;

  constructor(deps: ViewerSenderDeps) {
    this.#deps = deps;
    this.#queue = new ViewerQueue(deps);
    deps.connection.on('drain', this.#onDrain);
  }

  deliver(packet: HubPacket): void {
    if (this.#isClosed) return;
    const { connection, isBusy } = this.#deps;
    const admission = this.#queue.admit(packet, connection.writableLength + this.#waitingBytes);
    if (admission === 'drop') return;
    if (this.#deps.traffic !== undefined) this.#deps.traffic.outBytes += packet.bytes.byteLength;
    const admitted = admission === 'send' ? packet : withDiscontinuity(packet);
    if (this.#waiting.length > 0 || connection.writableLength > BEHIND_BYTES || isBusy()) this.#wait(admitted);
    else connection.write(admitted.frame);
  }

  /** The viewer misses pictures from here on. */
  breakOff(): void {
    this.#queue.breakOff();
  }

  flush(): void {
    // What the connection still holds goes first: its `drain` flushes the list.
    if (this.#isClosed || this.#deps.connection.writableLength > BEHIND_BYTES) return;
    const packets = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    for (const message of messagesOf(packets)) this.#write(message);
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#deps.timer.remove(this);
    this.#deps.connection.off('drain', this.#onDrain);
  }

  #wait(packet: HubPacket): void {
    this.#waiting.push(packet);
    this.#waitingBytes += packet.bytes.byteLength;
    this.#deps.timer.add(this);
  }

  #write(packets: readonly HubPacket[]): void {
    const { connection } = this.#deps;
    const [first] = packets;
    if (first !== undefined && packets.length === 1) {
      connection.write(first.frame);
      return;
    }
    const bytes = packets.reduce((sum, packet) => sum + packet.bytes.byteLength, 0);
    const header = new Uint8Array(frameHeaderBytes(bytes));
    writeFrameHeader(header, bytes);
    // One system call, and no copy of what all viewers share.
    connection.cork();
    connection.write(header);
    for (const packet of packets) connection.write(packet.bytes);
    connection.uncork();
  }
}

/** Packets in order, as many in a message as its bound allows. */
export function messagesOf(packets: readonly HubPacket[]): HubPacket[][] {
  const messages: HubPacket[][] = [];
  let last: HubPacket[] = [];
  let bytes = 0;
  for (const packet of packets) {
    if (last.length === 0 || bytes + packet.bytes.byteLength > MAX_MESSAGE_BYTES) {
      last = [];
      bytes = 0;
      messages.push(last);
    }
    last.push(packet);
    bytes += packet.bytes.byteLength;
  }
  return messages;
}

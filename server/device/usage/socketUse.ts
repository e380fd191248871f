// Reports the traffic of one terminal's socket to the meter. The sockets' own counts are read every now and then, so that a chunk
// costs nothing at all.
import type { NetflowKind } from '../../../shared/protocol/netflow/netflowWords.ts';
import type { Traffic, TrafficMeter } from './trafficMeter.ts';

/** The part of a `Socket` that is counted. */
export interface CountedSocket {
  readonly bytesRead: number;
  readonly bytesWritten: number;
  once(event: 'close', listener: () => void): unknown;
}

interface SocketOwner {
  readonly incarnation: number;
  /** The use of what passes now. */
  readonly kind: () => NetflowKind;
}

export interface SocketUse {
  /** Sets the owner from now on. Traffic before the first owner was known counts as the owner's too. */
  belongsTo(owner: SocketOwner): void;
  /** Attributes part of the traffic to another kind than its owner's. */
  attribute(kind: NetflowKind, traffic: Traffic): void;
}

export interface SocketUsesDeps {
  readonly meter: TrafficMeter;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
}

/** An interval short enough that streams of a used-up plan end within two seconds. */
const SETTLE_INTERVAL_MS = 1_000;

/** All open sockets of terminals. */
export class SocketUses {
  readonly #deps: SocketUsesDeps;
  readonly #open = new Set<OpenSocketUse>();
  #cancel: (() => void) | undefined;

  constructor(deps: SocketUsesDeps) {
    this.#deps = deps;
  }

  add(socket: CountedSocket): SocketUse {
    const use = new OpenSocketUse(socket, this.#deps.meter);
    this.#open.add(use);
    if (this.#cancel === undefined) this.#settleLater();
    socket.once('close', () => {
      use.settle();
      this.#open.delete(use);
      if (this.#open.size === 0) this.#stop();
    });
    return use;
  }

  /** Reports to the meter what has passed since the last time. */
  settle(): void {
    for (const use of this.#open) use.settle();
  }

  close(): void {
    this.#stop();
    this.settle();
  }

  /** Without sockets no timer runs, so that a gateway that could not start ends by itself. */
  #stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #settleLater(): void {
    this.#cancel = this.#deps.runAfter(SETTLE_INTERVAL_MS, () => {
      this.settle();
      this.#settleLater();
    });
  }
}

class OpenSocketUse implements SocketUse {
  readonly #socket: CountedSocket;
  readonly #meter: TrafficMeter;
  #owner: SocketOwner | undefined;
  #toldReceived = 0;
  #toldSent = 0;
  /**
   * Bytes attributed to another kind and not reported yet: they may be attributed before the socket has them, or after they were
   * reported.
   */
  readonly #attributed = new Map<NetflowKind, { receivedBytes: number; sentBytes: number }>();

  constructor(socket: CountedSocket, meter: TrafficMeter) {
    this.#socket = socket;
    this.#meter = meter;
  }

  belongsTo(owner: SocketOwner): void {
    if (this.#owner !== undefined) this.settle();
    this.#owner = owner;
  }

  attribute(kind: NetflowKind, { receivedBytes, sentBytes }: Traffic): void {
    const sum = this.#attributed.get(kind) ?? { receivedBytes: 0, sentBytes: 0 };
    sum.receivedBytes += receivedBytes;
    sum.sentBytes += sentBytes;
    this.#attributed.set(kind, sum);
  }

  settle(): void {
    const owner = this.#owner;
    if (owner === undefined) return;
    // A socket that is cut while bytes wait to be sent no longer counts them.
    let receivedBytes = Math.max(0, this.#socket.bytesRead - this.#toldReceived);
    let sentBytes = Math.max(0, this.#socket.bytesWritten - this.#toldSent);
    if (receivedBytes === 0 && sentBytes === 0) return;
    this.#toldReceived += receivedBytes;
    this.#toldSent += sentBytes;
    for (const [kind, wanted] of this.#attributed) {
      const part = {
        receivedBytes: Math.min(wanted.receivedBytes, receivedBytes),
        sentBytes: Math.min(wanted.sentBytes, sentBytes),
      };
      if (part.receivedBytes === 0 && part.sentBytes === 0) continue;
      wanted.receivedBytes -= part.receivedBytes;
      wanted.sentBytes -= part.sentBytes;
      receivedBytes -= part.receivedBytes;
      sentBytes -= part.sentBytes;
      this.#meter.note(owner.incarnation, kind, part);
    }
    if (receivedBytes > 0 || sentBytes > 0) {
      this.#meter.note(owner.incarnation, owner.kind(), { receivedBytes, sentBytes });
    }
  }
}

/** For parts that run without a meter. */
export const NO_SOCKET_USE: SocketUse = { belongsTo: () => undefined, attribute: () => undefined };

// Sends bytes over a connection of its own: in one piece, in pieces, byte by byte; and leaves in every way there is.
import { connect, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import type { Random } from '../../support/fuzz.ts';

type Leave = 'reset' | 'half-close' | 'destroy';

export interface Delivery {
  readonly chunks: readonly Uint8Array[];
  /** How the client leaves once all chunks are out. */
  readonly leave: Leave;
  /** Whether it takes in what is answered. */
  readonly reads: boolean;
}

const BYTE_BY_BYTE_LENGTH = 400;

export function planDelivery(bytes: Uint8Array, random: Random): Delivery {
  const chunks = chunksOf(bytes, random);
  // One in three leaves before all is said.
  const said = random(3) === 0 ? chunks.slice(0, random(chunks.length + 1)) : chunks;
  const leave = (['reset', 'half-close', 'destroy'] as const)[random(3)] ?? 'destroy';
  return { chunks: said, leave, reads: random(4) !== 0 };
}

function chunksOf(bytes: Uint8Array, random: Random): Uint8Array[] {
  const way = random(8);
  if (way === 0 && bytes.length <= BYTE_BY_BYTE_LENGTH) return [...bytes].map((byte) => Uint8Array.of(byte));
  if (way < 4) return [bytes];
  const cuts = Array.from({ length: 1 + random(4) }, () => random(bytes.length + 1)).sort((a, b) => a - b);
  return [0, ...cuts].map((from, at) => bytes.subarray(from, cuts[at] ?? bytes.length));
}

export interface Target {
  readonly port: number;
  /** Which of this machine's loopback addresses it comes from: no limit by address is to hide what lies behind it. */
  readonly from: string;
  /** What is said is said inside a finished TLS handshake. */
  readonly isSecure?: boolean;
}

/** How long an answer is waited for by a client that half-closes, or has said all before it destroys. */
const PATIENCE_MS = 20;

/** Settles when the connection is gone on our side. Never throws: being cut is the gateway's right. */
export function deliver(delivery: Delivery, { port, from, isSecure = false }: Target): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true, allowHalfOpen: true });
    const line = isSecure ? secured(socket) : { stream: socket, ready: 'connect' };
    const patience = setTimeout(() => socket.destroy(), CONNECT_TIMEOUT_MS);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(patience);
      resolve();
    });
    if (delivery.reads) line.stream.on('end', () => socket.destroy()).resume();
    line.stream.once(line.ready, () => sendNext({ socket, stream: line.stream }, delivery, 0));
  });
}

/** The connection that leaves, and what is spoken over it. */
interface Line {
  readonly socket: Socket;
  readonly stream: Socket;
}

function secured(socket: Socket): { readonly stream: Socket; readonly ready: string } {
  const stream = connectSecure({ socket, servername: 'localhost', rejectUnauthorized: false });
  stream.on('error', () => socket.destroy());
  return { stream, ready: 'secureConnect' };
}

const CONNECT_TIMEOUT_MS = 10_000;

function sendNext(line: Line, delivery: Delivery, at: number): void {
  const { socket, stream } = line;
  if (socket.destroyed || stream.destroyed) return;
  const chunk = delivery.chunks[at];
  if (chunk === undefined) {
    leave(line, delivery.leave);
    return;
  }
  // Each write is a segment of its own: the next waits until the system has this one.
  stream.write(chunk, () => setImmediate(() => sendNext(line, delivery, at + 1)));
}

function leave({ socket, stream }: Line, way: Leave): void {
  switch (way) {
    case 'reset':
      socket.resetAndDestroy();
      return;
    case 'half-close':
      stream.end();
      setTimeout(() => socket.destroy(), PATIENCE_MS);
      return;
    case 'destroy':
      setTimeout(() => socket.destroy(), PATIENCE_MS);
      return;
  }
}

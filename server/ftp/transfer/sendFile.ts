// From a file into a data connection.
import type { FileHandle } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { OnLimit } from '../../limits/limit.ts';
import { DATA_IDLE_LIMIT } from '../ftpLimits.ts';

export interface SendingOptions {
  readonly handle: Pick<FileHandle, 'read'>;
  readonly offset: number;
  readonly endBytes: number;
  readonly onBytes: (offset: number, bytes: number) => void;
  /** Awaited before the last piece goes out; false breaks it off. */
  readonly beforeEnd: () => Promise<boolean>;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onLimit: OnLimit;
}

export type SendingEnd =
  | { readonly kind: 'ended' | 'broken' }
  /** The file is shorter than it was said to be, or cannot be read. */
  | { readonly kind: 'failed'; readonly error: unknown };

const PIECE_BYTES = 256 * 1024;

/** Destroying the socket ends it as broken. */
export async function sendFile(socket: Socket, options: SendingOptions): Promise<SendingEnd> {
  const { handle, endBytes, onBytes, beforeEnd } = options;
  // Nothing is expected from the other end, but its close is only noticed by reading.
  socket.resume();
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  for (let offset = options.offset; offset < endBytes; ) {
    const read = await readPiece(handle, buffer, { offset, bytes: Math.min(PIECE_BYTES, endBytes - offset) });
    if (!read.ok) {
      socket.destroy();
      return { kind: 'failed', error: read.error };
    }
    if (offset + read.bytes.length >= endBytes && !(await beforeEnd())) {
      socket.destroy();
      return { kind: 'broken' };
    }
    if (!(await within(socket, options, (done) => socket.write(read.bytes, done)))) return { kind: 'broken' };
    onBytes(offset, read.bytes.length);
    offset += read.bytes.length;
  }
  const isEnded = await within(socket, options, (done) => socket.end(() => done()));
  return { kind: isEnded ? 'ended' : 'broken' };
}

type Piece = { readonly ok: true; readonly bytes: Buffer } | { readonly ok: false; readonly error: unknown };

async function readPiece(
  handle: SendingOptions['handle'],
  buffer: Buffer,
  { offset, bytes }: { readonly offset: number; readonly bytes: number },
): Promise<Piece> {
  try {
    const { bytesRead } = await handle.read(buffer, 0, bytes, offset);
    if (bytesRead === 0) return { ok: false, error: new Error('the file is shorter than it was') };
    return { ok: true, bytes: buffer.subarray(0, bytesRead) };
  } catch (error) {
    return { ok: false, error };
  }
}

/** Whether the step came to its end before the connection did, and before it stood still for too long. */
function within(
  socket: Socket,
  { runAfter, onLimit }: Pick<SendingOptions, 'runAfter' | 'onLimit'>,
  step: (done: (error?: Error | null) => void) => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isDone: boolean): void => {
      cancel();
      socket.off('close', closed);
      resolve(isDone);
    };
    const closed = (): void => end(false);
    const cancel = runAfter(DATA_IDLE_LIMIT.max, () => {
      onLimit(DATA_IDLE_LIMIT);
      socket.destroy();
    });
    socket.once('close', closed);
    if (socket.destroyed) end(false);
    else step((error) => end(error === undefined || error === null));
  });
}

// Receives a data connection into a file.
import type { FileHandle } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { OnLimit } from '../../limits/limit.ts';
import { DATA_IDLE_LIMIT } from '../ftpLimits.ts';
import type { LoginFiles, StoredFile } from './loginFiles.ts';

export type ReceptionEnd =
  /** The terminal has closed its side regularly (FIN). */
  | { readonly kind: 'ended' }
  | { readonly kind: 'broken' | 'silent' | 'no-room' | 'disk-full' }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface ReceptionOptions {
  readonly handle: Pick<FileHandle, 'write'>;
  readonly file: StoredFile;
  readonly files: Pick<LoginFiles, 'grow'>;
  readonly onReceived: (bytes: number) => void;
  readonly hasRoom?: (() => Promise<boolean>) | undefined;
  readonly isPaused?: (() => boolean) | undefined;
  /** Called with the bytes that were written. */
  readonly onBytes: (bytes: number) => void;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
  readonly onLimit: OnLimit;
}

/** Bytes that may come between two checks of the disk, in each transfer. */
const UNLOOKED_BYTES = 4 * 1024 * 1024;

/** Continues at the end of the file. Destroying the socket ends the reception as broken. */
export async function receiveFile(socket: Socket, options: ReceptionOptions): Promise<ReceptionEnd> {
  const idle = watchSilence(socket, options);
  let unlooked = UNLOOKED_BYTES;
  try {
    // No faster than the disk: the socket is not read while a piece is being written.
    for await (const chunk of socket) {
      idle.heard();
      options.onReceived(chunk.length);
      unlooked += chunk.length;
      if (unlooked >= UNLOOKED_BYTES) {
        if (options.hasRoom !== undefined && !(await options.hasRoom())) return { kind: 'disk-full' };
        unlooked = 0;
      }
      const end = await keep(chunk, options);
      if (end !== undefined) return end;
    }
    return { kind: 'ended' };
  } catch {
    return { kind: idle.isSilent() ? 'silent' : 'broken' };
  } finally {
    idle.stop();
    socket.destroy();
  }
}

async function keep(
  chunk: Buffer,
  { handle, file, files, onBytes }: ReceptionOptions,
): Promise<ReceptionEnd | undefined> {
  const offset = file.bytes;
  if (!files.grow(file, chunk.length)) return { kind: 'no-room' };
  try {
    for (let at = 0; at < chunk.length; ) {
      const { bytesWritten } = await handle.write(chunk, at, chunk.length - at, offset + at);
      at += bytesWritten;
    }
  } catch (error) {
    file.bytes = offset;
    return isDiskFull(error) ? { kind: 'disk-full' } : { kind: 'failed', error };
  }
  onBytes(chunk.length);
  return undefined;
}

type SilenceOptions = Pick<ReceptionOptions, 'runAfter' | 'onLimit' | 'isPaused'>;

function watchSilence(socket: Socket, { runAfter, onLimit, isPaused }: SilenceOptions) {
  let isSilent = false;
  const start = (): (() => void) =>
    runAfter(DATA_IDLE_LIMIT.max, () => {
      if (isPaused?.() === true) {
        cancel = start();
        return;
      }
      isSilent = true;
      onLimit(DATA_IDLE_LIMIT);
      socket.destroy();
    });
  let cancel = start();
  return {
    heard: () => {
      cancel();
      cancel = start();
    },
    stop: () => cancel(),
    isSilent: () => isSilent,
  };
}

export function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

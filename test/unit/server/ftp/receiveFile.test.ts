import type { Socket } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { DATA_IDLE_LIMIT } from '../../../../server/ftp/ftpLimits.ts';
import type { StoredFile } from '../../../../server/ftp/transfer/loginFiles.ts';
import { receiveFile } from '../../../../server/ftp/transfer/receiveFile.ts';
import { ManualTimers } from '../../../support/fakes/manualTimers.ts';

function newFile(): StoredFile {
  return { path: '/data/1', virtualPath: '/a', bytes: 0, isWhole: false, mayBeRead: false, interrupt: undefined };
}

type Write = (buffer: Uint8Array, at: number, length: number) => Promise<{ bytesWritten: number }>;

async function receive(write: Write, pieces = [Buffer.from('0123456789')], hasRoom = async () => true) {
  const file = newFile();
  const socket = Readable.from(pieces);
  const told: number[] = [];
  const received: number[] = [];
  const end = await receiveFile(socket as unknown as Socket, {
    handle: { write } as unknown as Parameters<typeof receiveFile>[1]['handle'],
    file,
    files: {
      grow: (grown, bytes) => {
        grown.bytes += bytes;
        return true;
      },
    },
    onReceived: (bytes) => received.push(bytes),
    hasRoom,
    onBytes: (bytes) => told.push(bytes),
    runAfter: new ManualTimers().runAfter,
    onLimit: () => undefined,
  });
  return { end, file, told, received };
}

const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

describe('receiveFile', () => {
  it('writes on until a piece is on the disk as a whole', async () => {
    const writes: [number, number][] = [];
    const { end, file, told } = await receive(async (_, at, length) => {
      writes.push([at, length]);
      return { bytesWritten: Math.min(4, length) };
    });
    expect(writes).toEqual([
      [0, 10],
      [4, 6],
      [8, 2],
    ]);
    expect([end, file.bytes, told]).toEqual([{ kind: 'ended' }, 10, [10]]);
  });

  it.each(['ENOSPC', 'EDQUOT'])(
    'tells a full disk (%s) from other faults, and counts the piece as received and not as kept',
    async (code) => {
      const { end, file, told, received } = await receive(failing(code));
      expect([end, file.bytes, told, received]).toEqual([{ kind: 'disk-full' }, 0, [], [10]]);
    },
  );

  it('ends where others need the rest of the disk, at the beginning and after every 4 MB', async () => {
    const pieces = Array.from({ length: 10 }, () => Buffer.alloc(1024 * 1024));
    const writeAll: Write = async (_, _at, length) => ({ bytesWritten: length });
    for (const [looks, megabytes] of [
      [0, 0],
      [1, 4],
      [2, 8],
    ] as const) {
      let left = looks;
      const { end, told } = await receive(writeAll, pieces, async () => left-- > 0);
      expect([end, told.length]).toEqual([{ kind: 'disk-full' }, megabytes]);
    }
  });

  it('gives what else went wrong', async () => {
    const { end } = await receive(failing('EIO'));
    expect(end).toMatchObject({ kind: 'failed', error: { message: 'EIO' } });
  });

  it('waits for a terminal that was told to pause, and breaks off one that is silent otherwise', async () => {
    const timers = new ManualTimers();
    const socket = new PassThrough();
    let isPaused = true;
    const ended = receiveFile(socket as unknown as Socket, {
      handle: { write: async (_: Uint8Array, at: number, length: number) => ({ bytesWritten: length - at }) } as never,
      file: newFile(),
      files: { grow: () => true },
      onReceived: () => undefined,
      onBytes: () => undefined,
      isPaused: () => isPaused,
      runAfter: timers.runAfter,
      onLimit: () => undefined,
    });
    timers.advance(30 * DATA_IDLE_LIMIT.max);
    expect(socket.destroyed).toBe(false);
    isPaused = false;
    timers.advance(DATA_IDLE_LIMIT.max);
    expect(await ended).toEqual({ kind: 'silent' });
  });
});

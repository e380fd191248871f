// Reads a file that a device recorded, whatever it contains. Runs in a thread of its own: files come from outside.
import { type FileHandle, open } from 'node:fs/promises';
import type { WrittenPacket } from '../../recording/past/pastWriter.ts';
import { readAt } from './fileChunks.ts';
import { readMediaPackets } from './readMediaPackets.ts';
import { readMp4 } from './readMp4.ts';
import { readProgramStream } from './readProgramStream.ts';
import { readRaw } from './readRaw.ts';
import type { ReadHints } from './readRecording.ts';
import { HEAD_BYTES, type Recognised, recognise } from './recognise.ts';

export interface PartsSink {
  /** False: no more packets are wanted. */
  take(packets: readonly WrittenPacket[]): Promise<boolean>;
}

/** The tables of a file can name the same bytes again and again. */
const MAX_GROWTH = 2;
const GROWTH_BYTES = 8 * 1024 * 1024;

/** Passes on the packets that can be read. Where reading fails within the file, it ends there. */
export async function readFile(path: string, hints: ReadHints, sink: PartsSink): Promise<void> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const recognised = recognise(await readAt(file, 0, HEAD_BYTES));
    if (recognised === undefined) return;
    let leftBytes = size * MAX_GROWTH + GROWTH_BYTES;
    for await (const packets of whatCanBeRead(partsOf(file, recognised, hints))) {
      leftBytes -= packets.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
      if (leftBytes < 0 || (packets.length > 0 && !(await sink.take(packets)))) return;
    }
  } finally {
    await file.close();
  }
}

type Parts = AsyncGenerator<readonly WrittenPacket[]>;

function partsOf(file: FileHandle, { kind, offset }: Recognised, hints: ReadHints): Parts {
  switch (kind) {
    case 'mp4':
      return readMp4(file);
    case 'h264':
    case 'h265':
      return readRaw(file, kind, hints);
    case 'jt1078':
      return readMediaPackets(file, offset, hints);
    case 'mpeg-ps':
      return readProgramStream(file, offset);
  }
}

/** Ends where the reader fails: everything before that is intact. */
async function* whatCanBeRead(parts: Parts): Parts {
  for (;;) {
    let next: IteratorResult<readonly WrittenPacket[]>;
    try {
      next = await parts.next();
    } catch {
      return;
    }
    if (next.done === true) return;
    yield next.value;
  }
}

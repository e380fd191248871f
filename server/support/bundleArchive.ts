// The archive of a support bundle, written while it is downloaded.
import { PassThrough, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createArchive } from '../faults/archive.ts';
import { guardStream } from '../faults/streams.ts';

export interface ArchivedText {
  readonly name: string;
  readonly pieces: Iterable<string>;
}

/** Texts one after another, each made when its turn has come. The caller owns the body, and destroys it to break off. */
export function bundleArchive(texts: readonly ArchivedText[], mtime: Date): Readable {
  const body = guardStream(new PassThrough());
  const fail = (error: unknown): void => void body.destroy(error instanceof Error ? error : new Error(String(error)));
  const archive = createArchive(fail);
  for (const { name, pieces } of texts) {
    archive.addReadStreamLazy(name, { mtime }, (take) => take(null, textStream(pieces).once('error', fail)));
  }
  archive.end({ forceZip64Format: false, comment: '' });
  archive.outputStream.pipe(body);
  return body;
}

/** With a turn for others after each piece. */
function textStream(pieces: Iterable<string>): Readable {
  return guardStream(Readable.from(inTurns(pieces), { objectMode: false }));
}

async function* inTurns(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) {
    if (piece !== '') yield piece;
    await nextTurn();
  }
}

import type { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';

/**
 * For a stream whose consumer attaches its listeners later. Until then an error would end the process; here it destroys the
 * stream, and the consumer finds it destroyed.
 */
export function guardStream<Stream extends Readable>(stream: Stream): Stream {
  stream.on('error', () => stream.destroy());
  return stream;
}

/** An archive has no end of its own after an error: `fail` ends what it is written to. */
export function guardArchive<Archive extends EventEmitter>(archive: Archive, fail: (error: unknown) => void): Archive {
  archive.on('error', fail);
  return archive;
}

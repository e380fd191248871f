import type { Readable } from 'node:stream';

/**
 * For a stream whose consumer attaches its listeners later. Until then an error would end the process; here it destroys the
 * stream, and the consumer finds it destroyed.
 */
export function guardStream<Stream extends Readable>(stream: Stream): Stream {
  stream.on('error', () => stream.destroy());
  return stream;
}

import type { Readable } from 'node:stream';

/**
 * A stream that is handed to somebody else, who listens when he comes to it: an error until then would end the process. It
 * destroys the stream, as every reader of it can see.
 */
export function guardStream<Stream extends Readable>(stream: Stream): Stream {
  stream.on('error', () => stream.destroy());
  return stream;
}

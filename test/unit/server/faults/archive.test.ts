import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createArchive } from '../../../../server/faults/archive.ts';

it('an archive tells of a file that cannot be added, and of its own end', () => {
  const told: unknown[] = [];
  const archive = createArchive((error) => told.push(error));
  const missing = new Error('no such mp4');
  archive.addReadStreamLazy('mp4.mp4', { compress: false }, (take) => take(missing, new PassThrough()));
  const gone = new Error('nobody reads it');
  archive.outputStream.emit('error', gone);
  expect(told).toEqual([missing, gone]);
});

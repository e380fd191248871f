// The archive of an evidence package: files as they are read, then their hashes, then the signature of the hashes.
import { createHash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import type { EvidenceSigner } from '../../../events/evidence/signingKey.ts';
import { createArchive } from '../../../faults/archive.ts';
import { guardStream } from '../../../faults/streams.ts';

export interface PackagedFile {
  /** Letters, digits, `.`, `-`, `_` and `/`. */
  readonly name: string;
  /** When its turn has come. Its errors break the archive off. */
  readonly open: () => Promise<Readable>;
  /** About. */
  readonly bytes: number;
}

const BODY_BUFFER_BYTES = 1024 * 1024;
/** Past this an archive needs the larger format, which not every program reads. */
const LARGE_ARCHIVE_BYTES = 3.5 * 1024 ** 3;

/**
 * Files come one after another, so that the hashes of all are known when their list is asked for. The body owns the file whose
 * turn it is: a download that is broken off closes it.
 */
export function openPackage(files: readonly PackagedFile[], signer: EvidenceSigner, mtime: Date): Readable {
  const body = guardStream(new PassThrough({ highWaterMark: BODY_BUFFER_BYTES }));
  const fail = (error: unknown): void => void body.destroy(error instanceof Error ? error : new Error(String(error)));
  const archive = createArchive(fail);
  const forceZip64Format = files.reduce((sum, { bytes }) => sum + bytes, 0) > LARGE_ARCHIVE_BYTES;
  const options = { compress: false, mtime, forceZip64Format };
  const sums: string[] = [];
  let reading: Readable | undefined;
  body.once('close', () => reading?.destroy());
  const add = (name: string, open: () => Promise<Readable>): void =>
    archive.addReadStreamLazy(name, options, (take) => {
      open().then((file) => {
        file.once('error', fail);
        reading = file;
        // The download was broken off while the file was being opened.
        if (body.destroyed) file.destroy();
        else take(null, file);
      }, fail);
    });
  const publicKey = { name: 'evidence-key.pub', open: async () => textOf(signer.publicKey), bytes: 0 };
  for (const { name, open } of [...files, publicKey]) {
    add(name, async () => hashed(await open(), (sha256) => sums.push(`${sha256}  ${name}\n`)));
  }
  add('SHA256SUMS', async () => textOf(sums.join('')));
  add('SHA256SUMS.sig', async () => bytesOf(signer.sign(Buffer.from(sums.join('')))));
  archive.end({ forceZip64Format, comment: '' });
  archive.outputStream.pipe(body);
  return body;
}

export function textOf(text: string): Readable {
  return bytesOf(Buffer.from(text));
}

function bytesOf(bytes: Uint8Array): Readable {
  return guardStream(Readable.from([bytes]));
}

function hashed(file: Readable, tell: (sha256: string) => void): Readable {
  const hash = createHash('sha256');
  file.on('data', (chunk: Uint8Array) => hash.update(chunk));
  file.once('end', () => tell(hash.digest('hex')));
  return file;
}

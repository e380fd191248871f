// Reads files that members import. The gateway does it in a thread of its own.
import type { ImportEncoding } from '../../../shared/protocol/api/imports/importEncodings.ts';
import type { FileAnswer } from '../devices/import/readFile.ts';
import type { FenceFile, FenceFileReading } from '../fences/import/readFile.ts';

/** Reading took too long or too much memory. */
export interface UnreadableFile {
  readonly ok: false;
  readonly code: 'file-too-complex';
}

export interface ImportReader {
  devices(bytes: Uint8Array, encoding: ImportEncoding | undefined): Promise<FileAnswer | UnreadableFile>;
  fences(bytes: Uint8Array, reading: FenceFileReading): Promise<FenceFile | UnreadableFile>;
}

export const FILE_TOO_COMPLEX = 'The file takes too long to read. Check it, or split it into several files.';
